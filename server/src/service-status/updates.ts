/** Owns the table update_check: asks once a day which version of Recodery is the newest, if the operator has turned it on. */
import type { Overview } from '@recodery/contract/admin/overview';
import { sql } from 'kysely';
import { parseBoundedJson } from '../config/bounded-json.ts';
import type { Log } from '../config/log.ts';
import { type Repeating, startRepeating } from '../config/start-repeating.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** Milliseconds from the start to the first look whether a day has passed, and between two. */
const updateTimes = { first: 30_000, every: 3_600_000 };
/** Milliseconds that a response can take. */
const patience = 10_000;
/** Maximum bytes of a response, and how much JSON it can contain. */
const mostBytes = 64 * 1024;
const limits = { nesting: 10, values: 2000 };
/** Maximum characters of an error that is stored. */
const longestError = 200;

/** A version by Semantic Versioning, without build metadata; `v` before it is ignored. */
const form = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(-[0-9A-Za-z.-]{1,40})?$/;

/** Whether a version is newer than another; neither is if one of them is no version. Previews are older. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => form.exec(text.replace(/\+.*$/, '')));
  if (one == null || other == null) return false;
  for (const at of [1, 2, 3]) {
    const difference = Number(one[at]) - Number(other[at]);
    if (difference !== 0) return difference > 0;
  }
  return one[4] === undefined && other[4] !== undefined;
}

async function readBody(response: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > mostBytes) throw new Error(`The response is longer than ${mostBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The version that a document at this address names. Nothing else of the response is used. */
async function askVersion(url: string, stopping: AbortSignal): Promise<string> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(patience)]);
  const headers = { accept: 'application/json', 'user-agent': 'Recodery' };
  const response = await fetch(url, { redirect: 'error', signal, headers });
  if (!response.ok) throw new Error(`The server responded with status ${response.status}.`);
  const value = parseBoundedJson(await readBody(response), limits);
  const { version, tag_name: tag } = (value ?? {}) as {
    readonly version?: unknown;
    readonly tag_name?: unknown;
  };
  const named = version ?? tag;
  if (typeof named !== 'string' || !form.test(named))
    throw new Error('The response names no version.');
  return named.replace(/^v/, '');
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, longestError)
    .toWellFormed();
}

/** Whether a day has passed since the last request; then no other process asks before another day has passed. */
async function claimDay(db: Db): Promise<boolean> {
  const { rows } = await sql`
    insert into update_check (asked_on) values (now())
    on conflict (only_row) do update set asked_on = now()
      where update_check.asked_on <= now() - interval '24 hours'
    returning only_row`.execute(db);
  return rows.length > 0;
}

/** Asks for the newest version, unless a process has done so within a day. A failure is only stored. */
export async function checkForUpdate(db: Db, url: string, stopping: AbortSignal): Promise<void> {
  if (!(await claimDay(db))) return;
  const found = await askVersion(url, stopping).then(
    (version) => ({ version, error: null }),
    (error: unknown) => ({ error: describe(error) }),
  );
  await db.updateTable('update_check').set(found).execute();
}

/** Looks each hour whether it is time to ask, until it is stopped. `url` null: the operator has not turned it on. */
export function startUpdateChecks(
  { db, log, url }: { readonly db: Db; readonly log: Log; readonly url: string | null },
  times = updateTimes,
): Repeating {
  if (url === null) return { stop: async () => undefined };
  return startRepeating('check for an update', times, (signal) =>
    checkForUpdate(db, url, signal).catch((error: unknown) => {
      log.warn({ error }, 'could not record the check for an update');
    }),
  );
}

/** What the overview shows of it; null: it is turned off. */
export async function readUpdates(
  db: Db,
  { updatesUrl, version }: { readonly updatesUrl: string | null; readonly version: string },
): Promise<Overview['updates']> {
  if (updatesUrl === null) return null;
  const row = await db
    .selectFrom('update_check')
    .select(['asked_on as askedOn', 'version', 'error'])
    .executeTakeFirst();
  return {
    askedOn: row?.askedOn.toISOString() ?? null,
    newer: row?.version != null && isNewer(row.version, version) ? row.version : null,
    error: row?.error ?? null,
  };
}
