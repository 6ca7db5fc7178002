/** Routes for files: downloads by ticket or session, and new URLs for them. */
import { Refusal } from '@recodery/contract/refusal';
import { downloadFile, refreshFileURL } from '@recodery/contract/features/slots';
import type { Kysely } from 'kysely';
import { logSender } from '../../http/requests/request-log.ts';
import type { Asked, Router } from '../../http/serve.ts';
import type { Caller, Doer, OrganisationId } from '../../organisations/caller.ts';
import type { Database } from '../../postgres/tables/schema.ts';
import type { VerifiedStorage } from '../../storage/verified-storage.ts';
import { type Downloader, recordWhenSent } from '../sending/downloads.ts';
import { sendFile } from '../sending/send-file.ts';
import { sendText } from '../sending/send-text.ts';
import { whoUses } from '../sending/ticket-owner.ts';
import { readSealing } from './deliveries.ts';
import { findRefusals } from './file-refusals.ts';
import { findStoredFile, type StoredFile } from './stored-files.ts';
import type { Tickets } from '../sending/tickets.ts';

/** What finds the files that a caller can open. */
export interface FindFile {
  readonly db: Kysely<Database>;
  /** The owner of a file that another organisation currently shares with the recipient, or null. */
  findSharer(receiver: OrganisationId, fileGuid: string): Promise<Sharer | null>;
}

export interface FileDependencies extends FindFile {
  readonly storage: VerifiedStorage;
  readonly tickets: Tickets;
  /** Records that the recipient has downloaded a file that another organisation shares. */
  noteReceived(receiver: OrganisationId, fileGuid: string): Promise<void>;
}

/** Who shares a file, and under what name: the file's own name may reveal the vehicle. */
interface Sharer {
  readonly owner: OrganisationId;
  readonly fileName: string;
}

type FindDependencies = Omit<FileDependencies, 'storage'>;

/** A file to download, and by whom. */
interface Download {
  readonly file: StoredFile;
  readonly by: Downloader;
}

async function findSharedFile(
  { db, findSharer }: FindFile,
  receiver: OrganisationId,
  guid: string,
): Promise<StoredFile | null> {
  const sharer = await findSharer(receiver, guid);
  const file = sharer === null ? null : await findStoredFile(db, sharer.owner, guid);
  return sharer === null || file === null ? null : { ...file, name: sharer.fileName };
}

/** A file that the session can open: the organisation's own, or one that is shared with it. */
export async function requireFile(
  deps: FindFile,
  caller: Caller,
  guid: string,
): Promise<{ readonly file: StoredFile; readonly isShared: boolean }> {
  const { organisationId } = caller;
  const own = await findStoredFile(deps.db, organisationId, guid);
  const file = own ?? (await findSharedFile(deps, organisationId, guid));
  if (file === null) throw new Refusal('NOT_FOUND');
  return { file, isShared: own === null };
}

type DownloadAsked = Pick<Asked<typeof downloadFile>, 'caller' | 'request'>;

async function findByTicket(
  deps: FindDependencies,
  { caller, request }: DownloadAsked,
  guid: string,
  ticket: string,
): Promise<Download | null> {
  const owner = await deps.tickets.verify(ticket, 'file', guid, caller);
  const bearer = owner ?? (await deps.tickets.verify(ticket, 'shared', guid, caller));
  if (bearer === null) return null;
  const { organisationId } = bearer;
  if (caller === null) logSender(request, { organisation: organisationId });
  const file =
    owner === null
      ? await findSharedFile(deps, organisationId, guid)
      : await findStoredFile(deps.db, organisationId, guid);
  return file && { file, by: downloaderOf(whoUses(bearer, caller), owner === null) };
}

/** As whom a caller downloads: `isShared` if another organisation has the file. */
export function downloaderOf(doer: Doer, isShared: boolean): Downloader {
  const { organisationId } = doer;
  return isShared ? { way: 'received', organisationId } : { way: 'own', doer };
}

/** The requested file. An invalid ticket is refused, and the response does not say why. */
async function requireDownload(
  deps: FindDependencies,
  asked: DownloadAsked,
  guid: string,
  ticket: string | undefined,
): Promise<Download> {
  const { caller } = asked;
  const byTicket = ticket === undefined ? null : await findByTicket(deps, asked, guid, ticket);
  if (byTicket !== null) return byTicket;
  if (caller !== null) {
    const { file, isShared } = await requireFile(deps, caller, guid);
    return { file, by: downloaderOf(caller, isShared) };
  }
  throw new Refusal(ticket === undefined ? 'API_ERROR_UNAUTHORIZED' : 'NOT_FOUND');
}

/** Registers the file routes. */
export function serveFiles(router: Router, { storage, ...deps }: FileDependencies): void {
  router.serve(downloadFile, async ({ caller, params, query, request, reply }) => {
    const asked = { caller, request };
    const { ticket, format, base = '0' } = query;
    const { file, by } = await requireDownload(deps, asked, params.fileGUID, ticket);
    recordWhenSent(deps.db, [file], by, { request, reply }, async () => {
      if (by.way === 'received') await deps.noteReceived(by.organisationId, file.guid);
    });
    return format === undefined
      ? sendFile(storage, file, request, reply)
      : sendText(storage, file, { format, base }, request, reply);
  });

  router.serve(refreshFileURL, async ({ caller, params }) => {
    const { file, isShared } = await requireFile(deps, caller, params.fileGUID);
    const { mintFileURL, mintSharedFileURL } = deps.tickets;
    const mint = isShared ? mintSharedFileURL : mintFileURL;
    const refusals = await findRefusals(deps.db, file);
    const { state, fileGUID } = await readSealing(deps.db, file);
    const isDue = state === 'due' || state === 'sealing' || state === 'failed';
    const isReplaced = state === 'fresh' && fileGUID !== file.guid;
    const canSealAgain = isDue || isReplaced;
    return { url: await mint(caller, file.guid), ...refusals, canSealAgain };
  });
}
