/** Sends all components of a slot as one zip, to its organisation's session or to the bearer of its ticket. */
import { Refusal } from '@recodery/contract/refusal';
import type { Family } from '@recodery/contract/families/registry';
import { componentsFileName } from '@recodery/contract/file-names';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, OrganisationId } from '../../organisations/caller.ts';
import { isGuid } from '../../config/guids.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { VerifiedStorage } from '../../storage/verified-storage.ts';
import { type SendZipDependencies, sendZip } from './send-zip.ts';
import { findSlot } from '../slots.ts';
import { listStoredFiles, type StoredFile } from '../files/stored-files.ts';
import { requireTicketOwner } from './ticket-owner.ts';
import type { Tickets } from './tickets.ts';

export interface ComponentsDependencies extends SendZipDependencies {
  readonly storage: VerifiedStorage;
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

async function findComponents(
  db: Db,
  owner: OrganisationId,
  family: Family,
  slotGuid: string,
): Promise<readonly StoredFile[]> {
  if (!isGuid(slotGuid)) throw new Refusal('NOT_FOUND');
  const slot = await findSlot(db, owner, slotGuid);
  if (slot === null || slot.family !== family) throw new Refusal('NOT_FOUND');
  const files = await listStoredFiles(db, owner, slot.guid);
  return files.filter(({ role }) => role === 'decoded');
}

/** Sends the components of a slot of this family; the only value of `fileType` is All. */
export async function sendComponents(
  deps: ComponentsDependencies,
  family: Family,
  asked: ComponentsAsked,
): Promise<undefined> {
  const { params, query } = asked;
  const whose = { ...asked, ticket: query.ticket };
  const owner = await requireTicketOwner(deps.tickets, 'components', params.id, whose);
  if (query.fileType !== undefined && query.fileType !== 'All') throw new Refusal('NOT_FOUND');
  const files = await findComponents(deps.db, owner.organisationId, family, params.id);
  return sendZip(deps, { name: componentsFileName, files }, owner, asked);
}
