/**
 * Verifies all stored files regularly and slowly, in one worker at a time, so that damage is found before a user needs
 * the file. Owns the table file_verification: how far the current pass has come.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '../config/log.ts';
import { type Repeating, startRepeating } from '../config/start-repeating.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { forgetDeletedDamage, keptFiles, listDamagedFiles } from '../slots/files/damaged-files.ts';
import {
  findDamage,
  type RecordedFile,
  type VerifiedStorage,
} from '../storage/verified-storage.ts';

export interface VerificationDependencies {
  readonly db: Db;
  readonly storage: Pick<VerifiedStorage, 'verify'>;
  readonly log: Log;
}

/** How fast files are verified, and how often. */
export interface VerificationPace {
  /** Milliseconds from the start to the first look for work, and between two. */
  readonly first: number;
  readonly every: number;
  /** Bytes a second that are read at most, on average. */
  readonly bytesPerSecond: number;
  /** Days from the end of a pass over all files to the start of the next. */
  readonly days: number;
}

/** A tenth of what a slow disk reads. */
export const verificationPace: VerificationPace = {
  first: 300_000,
  every: 600_000,
  bytesPerSecond: 8 * 2 ** 20,
  days: 7,
};

/** Files that are read from the database at once. */
const batchSize = 100;
/** Seconds that the longest file and its pause may take. */
const leaseSeconds = 600;
/** Damaged files that are verified again in each round: someone may have restored them. */
const mostDamaged = 1000;

/** Verifies all files again and again until it is stopped, which lets it finish the current file. */
export function startVerifying(deps: VerificationDependencies, pace = verificationPace): Repeating {
  return startRepeating('verify files', pace, async (signal) => {
    await verifyFiles(deps, pace, signal).catch((error: unknown) => {
      if (!signal.aborted) deps.log.warn({ error }, 'could not verify stored files');
    });
  });
}

/**
 * Verifies the damaged files again, then continues the current pass or starts one that is due; returns how many files of
 * the pass it verified.
 */
export async function verifyFiles(
  deps: VerificationDependencies,
  { bytesPerSecond, days }: Pick<VerificationPace, 'bytesPerSecond' | 'days'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const { db, storage, log } = deps;
  const claimed = await claim(db, days);
  if (claimed === null) return 0;
  let { lastKey } = claimed;
  const check = async (file: RecordedFile): Promise<void> => {
    // the storage itself records the damage
    await findDamage(storage, file);
    await wait((file.size / bytesPerSecond) * 1000, undefined, { signal });
  };
  await forgetDeletedDamage(db);
  for (const file of await listDamagedFiles(db, mostDamaged)) {
    await check(file);
    await keepPlace(db, lastKey);
  }
  if (!claimed.isDue) {
    await release(db);
    return 0;
  }
  let count = 0;
  for (;;) {
    const files = await listFilesAfter(db, lastKey);
    for (const file of files) {
      await check(file);
      await keepPlace(db, file.storageKey);
      count += 1;
    }
    const last = files.at(-1);
    if (last === undefined) break;
    lastKey = last.storageKey;
  }
  await endPass(db);
  log.info({ files: count }, 'all stored files verified');
  return count;
}

const renewed = sql`now() + make_interval(secs => ${leaseSeconds})`;

/** The key after which the pass continues, and whether one is due; null: another worker verifies files. */
async function claim(db: Db, days: number) {
  await sql`insert into file_verification default values on conflict do nothing`.execute(db);
  const { rows } = await sql<{ lastKey: string; isDue: boolean }>`
    update file_verification set lease_until = ${renewed}
    where coalesce(lease_until < now(), true)
    returning last_key as "lastKey",
      last_key <> '' or coalesce(completed_on < now() - make_interval(days => ${days}), true) as "isDue"`.execute(
    db,
  );
  return rows[0] ?? null;
}

async function release(db: Db): Promise<void> {
  await sql`update file_verification set lease_until = null`.execute(db);
}

/** Also renews the lease. */
async function keepPlace(db: Db, lastKey: string): Promise<void> {
  await sql`update file_verification set last_key = ${lastKey}, lease_until = ${renewed}`.execute(
    db,
  );
}

async function endPass(db: Db): Promise<void> {
  await sql`
    update file_verification set last_key = '', completed_on = now(), lease_until = null`.execute(
    db,
  );
}

/** How far the pass over all files has come. */
export interface PassState {
  readonly isRunning: boolean;
  /** The end of the last whole pass; null: there was none, or the next one is wanted. */
  readonly completedOn: Date | null;
  readonly verified: number;
  readonly files: number;
}

/** Makes a pass over all files due now, unless one is running. */
export async function requestPass(db: Db): Promise<void> {
  await sql`insert into file_verification default values on conflict do nothing`.execute(db);
  await sql`update file_verification set completed_on = null where last_key = ''`.execute(db);
}

/** The state of the pass over all files. */
export async function readPass(db: Db): Promise<PassState> {
  const { rows } = await sql<PassState>`
    select coalesce(last_key <> '', false) as "isRunning", completed_on as "completedOn",
      (select count(*)::int from ${keptFiles} as file where storage_key <= last_key) as verified,
      (select count(*)::int from ${keptFiles} as file) as files
    from (select) as one left join file_verification on true`.execute(db);
  return rows[0] ?? { isRunning: false, completedOn: null, verified: 0, files: 0 };
}

/** The next files in the order of their keys. */
export async function listFilesAfter(db: Db, lastKey: string): Promise<readonly RecordedFile[]> {
  const { rows } = await sql<RecordedFile>`
    select storage_key as "storageKey", name, size, sha256 from ${keptFiles} as file
    where storage_key > ${lastKey} order by storage_key limit ${batchSize}`.execute(db);
  return rows;
}
