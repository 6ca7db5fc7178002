/** Owns the table download: who downloaded which file, and when. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { newGuid } from '../../config/guids.ts';
import type { Doer, OrganisationId } from '../../organisations/caller.ts';
import { keepPlan } from '../../postgres/database.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { StoredFile } from '../files/stored-files.ts';

/** Who downloads a file. Of another organisation, only the organisation is recorded, not its user. */
export type Downloader =
  /** The organisation that has the file. */
  | { readonly way: 'own'; readonly doer: Doer }
  /** An organisation that it is shared with. */
  | { readonly way: 'received'; readonly organisationId: OrganisationId }
  /** Anyone with the link in the email of this notification. */
  | { readonly way: 'link'; readonly notificationGuid: string };

/** Seconds within which another request of the same downloader belongs to the same download: a retry, or a part of it. */
const sameDownload = 60;

function columnsOf(by: Downloader) {
  const { way } = by;
  const noPerson = { account: null, client: null };
  switch (by.way) {
    case 'own': {
      const { organisationId: organisation, accountGuid: account, clientGuid: client } = by.doer;
      return { way, organisation, account, client, notification: null };
    }
    case 'received':
      return { way, organisation: by.organisationId, ...noPerson, notification: null };
    case 'link':
      return { way, organisation: null, ...noPerson, notification: by.notificationGuid };
  }
}

/** Records a download of each of these files, unless it belongs to one that was just recorded. */
export async function insertDownloads(
  db: Db,
  fileGuids: readonly string[],
  by: Downloader,
): Promise<void> {
  const { way, organisation, account, client, notification } = columnsOf(by);
  const guids = [...new Set(fileGuids)];
  await sql`
    select record_downloads(${guids}::uuid[], ${guids.map(newGuid)}::uuid[], ${way}, ${organisation}, ${account},
      ${client}, ${notification}, make_interval(secs => ${sameDownload})) ${keepPlan}`.execute(db);
}

/** The last byte of a range in a `Content-Range` header, and the size of the file. */
const rangeForm = /^bytes \d+-(\d+)\/(\d+)$/;

/** Whether a response has delivered the end of the file: the whole file, or the last part of it. */
function isComplete(reply: FastifyReply): boolean {
  if (reply.statusCode !== 206) return reply.statusCode === 200;
  const [, last, size] = rangeForm.exec(String(reply.getHeader('content-range'))) ?? [];
  return Number(last) + 1 === Number(size);
}

/** The response that delivers files. */
interface Delivery {
  readonly request: Pick<FastifyRequest, 'log' | 'method'>;
  readonly reply: FastifyReply;
}

/**
 * Records the download of files once their response has been sent: call it before. What is sent only in part, or not at
 * all, is not recorded. `then` runs after it, also if it failed, such as to tell the sender. Failures are only logged.
 */
export function recordWhenSent(
  db: Db,
  files: readonly Pick<StoredFile, 'guid'>[],
  by: Downloader,
  { request, reply }: Delivery,
  then: () => Promise<void> = async () => {},
): void {
  if (request.method === 'HEAD') return;
  reply.raw.once('finish', () => {
    if (!isComplete(reply)) return;
    const guids = files.map(({ guid }) => guid);
    const report = (error: unknown) => request.log.error({ error }, 'could not record a download');
    insertDownloads(db, guids, by).catch(report).then(then).catch(report);
  });
}
