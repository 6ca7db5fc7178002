/** Sends all components of a slot as one zip, to its organisation's session or to the bearer of its ticket. */
import { Readable } from 'node:stream';
import { Refusal } from '@recodery/contract/refusal';
import type { Family } from '@recodery/contract/families/registry';
import { componentsFileName } from '@recodery/contract/file-names';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { logSender } from '../http/request-log.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import { isGuid } from '../config/guids.ts';
import type { Database } from '../postgres/tables/schema.ts';
import type { Storage } from '../storage/storage.ts';
import { writeAttachmentHead } from './send-file.ts';
import { findSlot } from './slots.ts';
import { listStoredFiles, noteDownload, type StoredFile } from './stored-files.ts';
import type { Tickets } from './tickets.ts';
import { packFiles } from './zip.ts';

export interface ComponentsDependencies {
  readonly db: Kysely<Database>;
  readonly storage: Storage;
  readonly tickets: Pick<Tickets, 'verify'>;
}

/** The request to a family's components route. */
export interface ComponentsAsked {
  readonly caller: Caller | null;
  readonly params: { readonly id: string };
  readonly query: { readonly fileType?: string | undefined; readonly ticket?: string | undefined };
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * The organisation whose slot the caller can open. An invalid ticket is refused, and the response does not say why.
 */
async function requireOwner(
  { tickets }: Pick<ComponentsDependencies, 'tickets'>,
  { caller, params, query, request }: ComponentsAsked,
): Promise<OrganisationId> {
  const { ticket } = query;
  const owner = ticket === undefined ? null : await tickets.verify(ticket, 'components', params.id);
  if (owner !== null) {
    // a ticket belongs to all users of an organisation
    if (caller === null) logSender(request, { organisation: owner });
    return owner;
  }
  if (caller === null) {
    throw new Refusal(ticket === undefined ? 'API_ERROR_UNAUTHORIZED' : 'NOT_FOUND');
  }
  return caller.organisationId;
}

async function requireComponents(
  { db, storage }: Pick<ComponentsDependencies, 'db' | 'storage'>,
  owner: OrganisationId,
  family: Family,
  slotGuid: string,
): Promise<readonly StoredFile[]> {
  if (!isGuid(slotGuid)) throw new Refusal('NOT_FOUND');
  const slot = await findSlot(db, owner, slotGuid);
  if (slot === null || slot.family !== family) throw new Refusal('NOT_FOUND');
  const files = await listStoredFiles(db, owner, slot.guid);
  const components = files.filter(({ role }) => role === 'decoded');
  // once the headers are sent, no error can be returned
  const heads = await Promise.all(components.map(({ storageKey }) => storage.head(storageKey)));
  if (heads.length === 0 || heads.includes(null)) throw new Refusal('NOT_FOUND');
  return components;
}

/** Sends the components of a slot of this family; the only value of `fileType` is All. */
export async function sendComponents(
  deps: ComponentsDependencies,
  family: Family,
  asked: ComponentsAsked,
): Promise<undefined> {
  const { params, query, request, reply } = asked;
  const owner = await requireOwner(deps, asked);
  if (query.fileType !== undefined && query.fileType !== 'All') throw new Refusal('NOT_FOUND');
  const files = await requireComponents(deps, owner, family, params.id);
  const { size, stream } = packFiles(deps.storage, files);
  writeAttachmentHead(reply, componentsFileName, 'application/zip');
  reply.header('content-length', size);
  if (request.method === 'HEAD') stream.destroy();
  reply.send(request.method === 'HEAD' ? Readable.from([]) : stream);
  await noteDownload(deps.db, files, request, reply);
  return undefined;
}
