/**
 * Runs one attempt of an operation, from claim to finish. The result of the handler is recorded exactly once or not at
 * all.
 */
import { engineCrashedName } from '@recodery/contract/errors';
import {
  describeOperationType,
  families,
  type OperationType,
  operationTypes,
} from '@recodery/contract/families/registry';
import { doFilesExpire } from '@recodery/contract/families/sealing';
import { notify } from '../postgres/announce.ts';
import type { DeviceGuids } from '../organisations/devices.ts';
import { isUnavailable } from '../postgres/unavailable.ts';
import { EngineCrashed, EngineInterrupted } from '../engine/built-in/pool.ts';
import type { Log } from '../config/log.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { PendingWrite } from '../postgres/write-together.ts';
import {
  countFromZero,
  operationRunning,
  operationsEnded,
  sealingsEnded,
  operationWaiting,
} from '../metrics/metrics.ts';
import { traced } from '../traces/traces.ts';
import { workerEnds } from '../queue/queue.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { countCrash, endWithFault, endWithResult, type OperationFault, release } from './claim.ts';
import {
  findSealedAgain,
  isFull,
  isMachineFault,
  type JsonObject,
  maxAttempts,
  maxDeaths,
  type OperationRow,
  pauseAfterFault,
  pauseWhileFull,
  retryAfterCrash,
  retryAfterFault,
} from './operation-rules.ts';
import { type LockedEnd, lockEnd } from './lock-end.ts';
import { dueOf, findAnyOperation } from './operations.ts';

const endings = ['succeeded', 'refused', 'failed'] as const;
type Ending = (typeof endings)[number];
countFromZero(
  operationsEnded,
  operationTypes.flatMap((type) =>
    endings.map((outcome) => ({ family: describeOperationType(type).family, type, outcome })),
  ),
);
countFromZero(
  sealingsEnded,
  families
    .filter(doFilesExpire)
    .flatMap((family) => endings.map((outcome) => ({ family, outcome }))),
);

/** The tools of a handler while it works. */
export interface AttemptContext {
  /** Aborted when the lease is lost or the worker must stop: the result is then discarded. */
  readonly signal: AbortSignal;
  /** Storage prefix for the files of this attempt; ends with a slash. */
  readonly storagePrefix: string;
  /**
   * Reports progress, 0..1, and whether the attempt waits for a vendor's engine; recorded with the next lease renewal.
   */
  report(fraction: number, isWaiting: boolean): void;
  /**
   * Reports that the attempt needs no engine any more: if it was a built-in one, the next operation starts while this one
   * is stored.
   */
  leaveEngine(): void;
  /** Sets what to record if the operation fails, in the transaction that ends it. */
  atFailure(record: (trx: Db) => Promise<void>): void;
  /** Stores what the engine keeps with the operation, encrypted. @throws when the lease is lost */
  remember(sealed: Buffer | null): Promise<void>;
}

/** The result of an operation, and what is written with it. */
export interface Recorded {
  readonly result: JsonObject;
  readonly writes: readonly PendingWrite[];
}

/** The outcome of a successful operation. `record` is called in the transaction that ends the operation. */
export interface OperationOutcome {
  record(trx: Db, locked: LockedEnd): Promise<Recorded>;
  /** The devices that the rows name; absent: none. */
  readonly devices?: DeviceGuids;
  /** The beginning of the names that must differ from those of the last minutes; absent: none. */
  readonly namesLike?: string;
}

/** Does the work of one operation type. Throws the file's fault or any other error. */
export type OperationHandler = (
  operation: OperationRow,
  work: AttemptContext,
) => Promise<OperationOutcome>;

export interface AttemptDependencies {
  readonly db: Db;
  readonly log: Log;
  readonly handlers: Readonly<Partial<Record<OperationType, OperationHandler>>>;
  /** The file fault that an error represents, or null when the error is not caused by the file. */
  nameFault(operation: OperationRow, error: unknown): OperationFault | null;
  /** The fault shown to the user for an internal error. */
  nameOwnFault(operation: OperationRow): OperationFault;
  /** The entry of an end in the audit trail, which is written in the same transaction. `errorName` null: success. */
  auditEnd(
    trx: Db,
    operation: OperationRow,
    errorName: string | null,
  ): PendingWrite & { execute(): Promise<unknown> };
  /** Writes additional rows when an operation has finished, in the same transaction. */
  onFinished(trx: Db, operation: OperationRow): Promise<void>;
  /** Deletes stored files under `prefix`, except those under `except`. */
  sweep(prefix: string, except: string | null): Promise<void>;
}

/** An attempt that has failed: what its handler wants to be recorded if the operation ends with that. */
interface Failing extends AttemptDependencies {
  recordFailure(trx: Db): Promise<void>;
}

/** The storage prefix of an attempt's files. */
export function prefixOf(operation: OperationRow): string {
  return `${operation.guid}/${operation.attempt}/`;
}

const noDevices: DeviceGuids = { slaveGuid: null, masterGuid: null };

/** Runs one attempt. Never throws: this is one of the places where errors are caught. */
export async function runAttempt(
  deps: AttemptDependencies,
  operation: OperationRow,
  given: Omit<AttemptContext, 'atFailure'>,
): Promise<void> {
  let recordFailure: Failing['recordFailure'] = async () => undefined;
  const work: AttemptContext = { ...given, atFailure: (record) => void (recordFailure = record) };
  const { guid, attempt, organisationId: organisation } = operation;
  const log = deps.log.child({ operation: guid, organisation, attempt });
  const attributes = {
    'recodery.operation': guid,
    'recodery.organisation': organisation,
    'recodery.attempt': attempt,
  };
  try {
    const outcome = await traced(operation.type, attributes, () => handle(deps, operation, work));
    const isOurs = await finish(deps, operation, outcome);
    log.info({ type: operation.type, isOurs }, 'operation finished');
    // nothing to clean up: no other attempt has stored a file for it
    if (isOurs && operation.attempt === 1) return;
  } catch (error) {
    const failing = { ...deps, recordFailure };
    await decide(failing, operation, work, error, log).catch((second: unknown) =>
      // the lease expires, and the operation is claimed again
      log.error({ error: second }, 'could not record a failure'),
    );
  }
  await tidy(deps, operation).catch((error: unknown) =>
    log.warn({ error }, 'could not delete files of an attempt'),
  );
}

/** The process of the worker died too often while it worked on the operation. */
class WorkerDied extends Error {}

async function handle(
  deps: AttemptDependencies,
  operation: OperationRow,
  work: AttemptContext,
): Promise<OperationOutcome> {
  const handler = deps.handlers[operation.type];
  if (handler === undefined) throw new Error(`no handler for ${operation.type}`);
  // those of vendors' engines run next to each other: their deaths do not show the cause
  if (operation.connectionGuid === null && operation.deaths >= maxDeaths)
    throw new WorkerDied(`${operation.deaths} times`);
  if (operation.attempt > maxAttempts) throw new Error('the operation never finished');
  return handler(operation, work);
}

/** Ends the operation as succeeded and writes all related rows; false when another attempt has taken it over. */
function finish(
  deps: AttemptDependencies,
  operation: OperationRow,
  outcome: OperationOutcome,
): Promise<boolean> {
  return commitEnd(deps, 'succeeded', async (trx) => {
    const { devices = noDevices, namesLike } = outcome;
    const locked = await lockEnd(trx, operation, devices, namesLike);
    if (locked === null) return null;
    const { result, writes } = await outcome.record(trx, locked);
    return endWithResult(trx, operation, result, [...writes, deps.auditEnd(trx, operation, null)]);
  });
}

/** Ends an operation in a transaction, with everything that follows from it; false when the claim is lost. */
async function commitEnd(
  deps: AttemptDependencies,
  outcome: Ending,
  end: (trx: Db) => Promise<OperationRow | null>,
): Promise<boolean> {
  const ended = await deps.db.transaction().execute(async (trx) => {
    const row = await end(trx);
    if (row === null) return null;
    await deps.onFinished(trx, row);
    return row;
  });
  if (ended === null) return false;
  if (!ended.isBackground) measureEnd(ended, outcome);
  else if (findSealedAgain(ended) !== null) sealingsEnded.inc({ family: ended.family, outcome });
  return true;
}

function measureEnd(
  { type, createdOn, startedOn, completedOn }: OperationRow,
  outcome: Ending,
): void {
  const { family } = describeOperationType(type);
  operationsEnded.inc({ family, type, outcome });
  if (startedOn === null || completedOn === null) return;
  operationWaiting.observe({ family }, (startedOn.getTime() - createdOn.getTime()) / 1000);
  operationRunning.observe({ family }, (completedOn.getTime() - startedOn.getTime()) / 1000);
}

async function decide(
  deps: Failing,
  operation: OperationRow,
  work: AttemptContext,
  error: unknown,
  log: Log,
): Promise<void> {
  if (work.signal.aborted) {
    log.warn({ reason: String(work.signal.reason) }, 'operation aborted');
    if (work.signal.reason === workerEnds) await handBack(deps, operation, 0);
    return;
  }
  const fault = deps.nameFault(operation, error);
  if (fault !== null) {
    log.info({ internalCode: fault.internalCode, detail: fault.detail }, 'file refused');
    return fail(deps, operation, fault, 'refused');
  }
  if (error instanceof EngineCrashed) return decideCrash(deps, operation, error, log);
  if (error instanceof WorkerDied) {
    log.error({ error }, 'operation failed: its worker died while it worked on it');
    return fail(deps, operation, crashFault(operation), 'failed');
  }
  if (isUnavailable(error)) {
    log.warn({ error }, 'operation interrupted: the database is unavailable');
    return handBack(deps, operation, 0);
  }
  if (isFull(error)) {
    const afterSeconds = pauseWhileFull(operation.attempt);
    log.warn({ error, afterSeconds }, 'operation interrupted: a disk is full');
    return handBack(deps, operation, afterSeconds);
  }
  if (error instanceof StorageUnavailable) {
    const afterSeconds = pauseAfterFault(operation.attempt);
    log.warn({ error, afterSeconds }, 'operation interrupted: the storage is unavailable');
    return handBack(deps, operation, afterSeconds);
  }
  const isTemporary = isMachineFault(error) || error instanceof EngineInterrupted;
  const retry = retryAfterFault(operation.attempt, isTemporary);
  log.error({ error, retry }, 'operation failed: internal error');
  if (retry.decision === 'again') return handBack(deps, operation, retry.afterSeconds);
  return fail(deps, operation, deps.nameOwnFault(operation), 'failed');
}

async function decideCrash(
  deps: Failing,
  operation: OperationRow,
  error: EngineCrashed,
  log: Log,
): Promise<void> {
  const crashes = await countCrash(deps.db, operation);
  log.error({ error, crashes }, 'engine crashed');
  if (crashes === null) return;
  const retry = retryAfterCrash(crashes);
  if (retry.decision === 'again') return handBack(deps, operation, retry.afterSeconds);
  return fail(deps, operation, crashFault(operation), 'failed');
}

function crashFault({ guid }: OperationRow): OperationFault {
  const errorName = engineCrashedName;
  return { errorName, internalCode: errorName, detail: guid, sizes: null };
}

async function fail(
  deps: Failing,
  operation: OperationRow,
  fault: OperationFault,
  outcome: 'refused' | 'failed',
): Promise<void> {
  await commitEnd(deps, outcome, async (trx) => {
    const row = await endWithFault(trx, operation, fault);
    if (row === null) return null;
    await deps.auditEnd(trx, operation, fault.errorName).execute();
    await deps.recordFailure(trx);
    return row;
  });
}

async function handBack(
  deps: AttemptDependencies,
  operation: OperationRow,
  afterSeconds: number,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const isReleased = await release(trx, operation, afterSeconds);
    if (isReleased) await notify(trx, dueOf(operation));
  });
}

/**
 * Deletes the files that are no longer needed. It checks the row first: if the response to a commit was lost, this
 * attempt may have succeeded after all.
 */
async function tidy(deps: AttemptDependencies, operation: OperationRow): Promise<void> {
  const row = await findAnyOperation(deps.db, operation.organisationId, operation.guid);
  if (row?.status === 'succeeded') return deps.sweep(`${row.guid}/`, prefixOf(row));
  if (row === null || row.status === 'failed') return deps.sweep(`${operation.guid}/`, null);
  // this attempt may still be the current one: the attempt that finishes the operation sweeps
  if (row.status === 'running' && row.attempt === operation.attempt) return;
  return deps.sweep(prefixOf(operation), null);
}
