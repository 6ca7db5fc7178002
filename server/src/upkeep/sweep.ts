/**
 * Deletes expired data hourly, in one worker at a time: trays, slots, files with their bytes, rows, notifications,
 * attempts to deliver webhooks, and orphaned bytes that no row names. First, it completes slots of earlier versions, and
 * changes of the retention that were interrupted.
 */
import { Readable } from 'node:stream';
import { type Kysely, sql } from 'kysely';
import { deleteExpiredAudit } from '../audit/audit.ts';
import { deleteExpiredTokens } from '../clients/access-tokens.ts';
import { deleteExpiredKeys } from '../clients/idempotency-keys.ts';
import { uploadPrefix } from '../http/file-transfer.ts';
import { isGuid, newGuid } from '../config/guids.ts';
import type { Log } from '../config/log.ts';
import { type Repeating, startRepeating } from '../config/start-repeating.ts';
import { removeTimeLimits } from '../postgres/no-time-limits.ts';
import type { Database } from '../postgres/tables/schema.ts';
import type { Storage } from '../storage/storage.ts';
import { applyRetentionBounds, type RetentionRules } from '../jobs/storage-settings.ts';
import { deleteExpiredNotifications } from '../notifications/delete-notifications.ts';
import { sweepAccountEmails } from '../email/account-emails.ts';
import { findUnfinished } from '../operations/operations.ts';
import { completeExpiry } from '../slots/files/file-expiry.ts';
import { releaseExpiredMisfits } from '../slots/misfits.ts';
import { describeOldSlots } from '../slots/job-marks.ts';
import { deleteExpiredSlotRows } from '../slots/slot-expiry.ts';
import {
  deleteExpiredFiles,
  findKeysInUse,
  listUnsweptFiles,
  markSwept,
} from '../slots/files/stored-files.ts';
import { deleteExpiredTrays } from '../trays/trays.ts';
import { deleteExpiredAttempts } from '../webhooks/attempts.ts';
import { deleteExpiredSlots } from './delete-expired-slots.ts';

export interface SweepDependencies extends RetentionRules {
  readonly db: Kysely<Database>;
  readonly storage: Pick<Storage, 'delete' | 'deleteUnfinished' | 'head' | 'list' | 'put'>;
  readonly log: Log;
  /** Days that entries of the audit trail are kept. */
  readonly auditDays: number;
}

/** How many were deleted. */
export interface Swept {
  readonly trays: number;
  readonly slots: number;
  readonly files: number;
  readonly misfits: number;
  readonly bytes: number;
  readonly rows: number;
  readonly notifications: number;
  readonly strays: number;
  readonly accountEmails: number;
  readonly tokens: number;
  readonly keys: number;
  readonly webhookAttempts: number;
  readonly auditEntries: number;
}

/** Rows of a batch: small enough that its locks do not delay other transactions. */
const batchSize = 200;
/** An arbitrary number that no other lock in this database uses. */
export const sweepLock = 7_263_328;
/** Milliseconds from the start to the first sweep, and between two. */
export const sweepTimes = { first: 60_000, every: 3_600_000 };
/**
 * Milliseconds for which bytes without a row may belong to an upload or attempt in progress. Amazon S3 dates an object
 * at the start of its upload, which takes hours on a slow line.
 */
const strayAge = 24 * 3_600_000;

/**
 * Sweeps at intervals until it is stopped, which finishes the current batch. Failures are logged, and retried with the
 * next sweep.
 */
export function startSweeping(deps: SweepDependencies, when = sweepTimes): Repeating {
  return startRepeating('sweep', when, (signal) =>
    sweep(deps, signal).then(
      (swept) => {
        if (swept !== null) deps.log.info(swept, 'expired data deleted');
      },
      (error: unknown) => deps.log.warn({ error }, 'sweep failed'),
    ),
  );
}

/** Sweeps once; null when another worker is sweeping. */
export async function sweep(
  deps: SweepDependencies,
  signal: AbortSignal = new AbortController().signal,
): Promise<Swept | null> {
  // The transaction owns the lock: it is released however this process exits, even behind a pooler. It reads nothing,
  // so it keeps no rows from being vacuumed.
  return deps.db.transaction().execute(async (trx) => {
    // it waits for all steps, which use other connections
    await removeTimeLimits(trx);
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(${sweepLock}) as "isOurs"`.execute(trx);
    return rows[0]?.isOurs === true ? sweepAll(deps, signal) : null;
  });
}

async function sweepAll(deps: SweepDependencies, signal: AbortSignal): Promise<Swept> {
  const { db, retentionDays, auditDays } = deps;
  const faults: unknown[] = [];
  // one failed step must not keep the others from running
  const step = (work: Promise<number>): Promise<number> =>
    work.catch((error: unknown) => {
      faults.push(error);
      return 0;
    });
  await step(repeat(signal, () => describeOldSlots(db, batchSize)));
  await step(applyRetentionBounds(db, deps));
  const swept = {
    trays: await step(repeat(signal, () => deleteExpiredTrays(db, retentionDays, batchSize))),
    slots: await step(repeat(signal, () => deleteExpiredSlots(db, retentionDays, batchSize))),
    files: await step(sweepFiles(deps, signal)),
    misfits: await step(repeat(signal, () => releaseExpiredMisfits(db, batchSize))),
    bytes: await step(sweepBytes(deps, signal)),
    rows: await step(repeat(signal, () => deleteExpiredSlotRows(db, batchSize))),
    notifications: await step(
      repeat(signal, () => deleteExpiredNotifications(db, retentionDays, batchSize)),
    ),
    strays: await step(sweepStrays(deps, signal)),
    accountEmails: await step(sweepAccountEmails(db)),
    tokens: await step(deleteExpiredTokens(db)),
    keys: await step(deleteExpiredKeys(db)),
    webhookAttempts: await step(repeat(signal, () => deleteExpiredAttempts(db, batchSize))),
    auditEntries: await step(repeat(signal, () => deleteExpiredAudit(db, auditDays, batchSize))),
  };
  if (faults.length > 0) throw new AggregateError(faults, 'some expired data could not be deleted');
  return swept;
}

/** Deletes expired files, but none that expires later because the retention has changed. */
async function sweepFiles(
  { db, retentionDays }: SweepDependencies,
  signal: AbortSignal,
): Promise<number> {
  await completeExpiry(db, retentionDays, signal);
  return repeat(signal, () => deleteExpiredFiles(db, batchSize));
}

/** Repeats a batch until none is left; returns the sum. */
async function repeat(signal: AbortSignal, batch: () => Promise<number>): Promise<number> {
  let sum = 0;
  while (!signal.aborted) {
    const count = await batch();
    sum += count;
    if (count < batchSize) break;
  }
  return sum;
}

/** Deletes the bytes of deleted files. Failed deletions are retried with the next sweep. */
async function sweepBytes(deps: SweepDependencies, signal: AbortSignal): Promise<number> {
  const { db, storage } = deps;
  let after: string | null = null;
  let sum = 0;
  while (!signal.aborted) {
    const files = await listUnsweptFiles(db, after, batchSize);
    const kept = await findKeysInUse(
      db,
      files.map(({ storageKey }) => storageKey),
    );
    const gone = await Promise.all(
      files.map(async ({ guid, storageKey }) => {
        const isGone = kept.has(storageKey) || (await remove(deps, storage, storageKey));
        return isGone ? [guid] : [];
      }),
    );
    await markSwept(db, gone.flat());
    sum += gone.flat().length;
    after = files.at(-1)?.guid ?? null;
    if (files.length < batchSize) break;
  }
  return sum;
}

function remove(
  { log }: Pick<SweepDependencies, 'log'>,
  storage: Pick<Storage, 'delete'>,
  key: string,
): Promise<boolean> {
  return storage.delete(key).then(
    () => true,
    (error: unknown) => {
      log.warn({ error, key }, 'could not delete a stored file');
      return false;
    },
  );
}

/** The time of the clock that dates the objects, which may be on a different machine. */
async function askStorage(storage: SweepDependencies['storage']): Promise<Date> {
  // named like an upload: if this process exits before it is deleted, it is one of the next sweep's orphans
  const key = [uploadPrefix, newGuid(), newGuid()].join('/');
  await storage.put(key, Readable.from([]));
  const found = await storage.head(key);
  await storage.delete(key);
  if (found === null) throw new Error('the storage does not keep what it has confirmed');
  return found.modifiedOn;
}

/** Deletes orphaned bytes of uploads and attempts, which no row names, and half-written files. */
async function sweepStrays(deps: SweepDependencies, signal: AbortSignal): Promise<number> {
  const before = new Date((await askStorage(deps.storage)).getTime() - strayAge);
  const unfinished = await deps.storage.deleteUnfinished(before);
  return unfinished + (await sweepOrphans(deps, before, signal));
}

async function sweepOrphans(
  deps: SweepDependencies,
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  let batch: string[] = [];
  let sum = 0;
  for await (const { key, modifiedOn } of deps.storage.list('')) {
    if (signal.aborted) return sum;
    if (modifiedOn >= before || !isOurs(key)) continue;
    batch.push(key);
    if (batch.length < batchSize) continue;
    sum += await sweepBatch(deps, batch);
    batch = [];
  }
  return sum + (await sweepBatch(deps, batch));
}

/** Whether a key has the form of an upload's or an attempt's; other objects in the storage have other owners. */
function isOurs(key: string): boolean {
  const [first = '', second = '', third = '', ...more] = key.split('/');
  if (more.length > 0) return false;
  return first === uploadPrefix
    ? isGuid(second) && isGuid(third)
    : isGuid(first) && /^\d+$/.test(second) && third !== '';
}

async function sweepBatch(deps: SweepDependencies, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  // before the files: an operation that ends in between has then stored the files that are found
  const unfinished = await findUnfinished(
    deps.db,
    keys.map((key) => key.slice(0, key.indexOf('/'))).filter(isGuid),
  );
  const named = await findKeysInUse(deps.db, keys);
  const strays = keys.filter(
    (key) => !named.has(key) && !unfinished.has(key.slice(0, key.indexOf('/'))),
  );
  const gone = await Promise.all(strays.map((key) => remove(deps, deps.storage, key)));
  return gone.filter((isGone) => isGone).length;
}
