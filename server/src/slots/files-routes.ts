/** The door to files: downloads by ticket or session, and fresh addresses for them. */
import { Refusal } from '@recodery/contract/errors';
import { downloadFile, refreshFileURL } from '@recodery/contract/slots';
import type { Kysely } from 'kysely';
import type { Door } from '../http/serve.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import type { Database } from '../platform/schema.ts';
import { NothingStored, type Storage } from '../platform/storage.ts';
import { sendFile } from './send-file.ts';
import { findStoredFile, type StoredFile } from './stored-files.ts';
import type { Tickets } from './tickets.ts';

export interface FileDependencies {
  readonly db: Kysely<Database>;
  readonly storage: Storage;
  readonly tickets: Tickets;
}

function demandAccess(caller: Caller): OrganisationId {
  if (!caller.hasPortalAccess) throw new Refusal('USER_NO_RIGHTS');
  return caller.organisationId;
}

/** For whom the file is asked. A ticket that is not good opens nothing, and does not say why. */
async function findAsker(
  tickets: Tickets,
  caller: Caller | null,
  fileGuid: string,
  ticket: string | undefined,
): Promise<OrganisationId> {
  const byTicket = ticket === undefined ? null : await tickets.verify(ticket, 'file', fileGuid);
  if (byTicket !== null) return byTicket;
  if (caller !== null) return demandAccess(caller);
  throw new Refusal(ticket === undefined ? 'API_ERROR_UNAUTHORIZED' : 'NOT_FOUND');
}

async function demandFile(
  db: Kysely<Database>,
  organisationId: OrganisationId,
  guid: string,
): Promise<StoredFile> {
  const file = await findStoredFile(db, organisationId, guid);
  if (file === null) throw new Refusal('NOT_FOUND');
  return file;
}

/** Serves the files' routes. */
export function serveFiles(door: Door, { db, storage, tickets }: FileDependencies): void {
  door.serve(downloadFile, async ({ caller, params, query, request, reply }) => {
    const asker = await findAsker(tickets, caller, params.fileGUID, query.ticket);
    const file = await demandFile(db, asker, params.fileGUID);
    return sendFile(storage, file, request, reply).catch((error: unknown) => {
      if (!(error instanceof NothingStored)) throw error;
      request.log.error({ file: file.guid }, 'the storage has lost a file');
      throw new Refusal('NOT_FOUND');
    });
  });

  door.serve(refreshFileURL, async ({ caller, params }) => {
    const file = await demandFile(db, demandAccess(caller), params.fileGUID);
    return { url: await tickets.mintFileURL(caller.organisationId, file.guid) };
  });
}
