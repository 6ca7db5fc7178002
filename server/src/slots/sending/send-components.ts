/** Sends all components of a slot as one zip, to its organisation's session or to the bearer of its ticket. */
import { Refusal } from '@recodery/contract/refusal';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { componentsFileName } from '@recodery/contract/file-names';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, OrganisationId } from '../../organisations/caller.ts';
import { isGuid } from '../../config/guids.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { VerifiedStorage } from '../../storage/verified-storage.ts';
import { type SendZipDependencies, sendZip, type ZipContents } from './send-zip.ts';
import { findSlot } from '../slots.ts';
import { listStoredFiles } from '../files/stored-files.ts';
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

/** States in the zip that a double of the demo opened the read. */
const doubleText = (family: Family) => ({
  name: 'demo-double.txt',
  text: `Demo: a double of ${definitionOf(family).name}'s service opened this read. Real slaves do not accept its files.\r\n`,
});

async function findComponents(
  db: Db,
  owner: OrganisationId,
  family: Family,
  slotGuid: string,
): Promise<Omit<ZipContents, 'name'>> {
  if (!isGuid(slotGuid)) throw new Refusal('NOT_FOUND');
  const slot = await findSlot(db, owner, slotGuid);
  if (slot === null || slot.family !== family) throw new Refusal('NOT_FOUND');
  const files = await listStoredFiles(db, owner, slot.guid);
  return {
    files: files.filter(({ role }) => role === 'decoded'),
    texts: slot.isDouble ? [doubleText(family)] : [],
  };
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
  const contents = await findComponents(deps.db, owner.organisationId, family, params.id);
  return sendZip(deps, { name: componentsFileName, ...contents }, owner, asked);
}
