/** Rules for operation rows: the record sent to clients, the limit of parallel operations, and retries after faults. */
import {
  errorNamesOf,
  describeOperationType,
  describeWorkflow,
  type Family,
  type OperationType,
  type Workflow,
} from '@recodery/contract/families/registry';
import {
  type Operation,
  type OperationError,
  operation,
  type OperationSummary,
  type progress,
  type WrongSize,
} from '@recodery/contract/features/operations';
import type * as z from 'zod/mini';
import type { OrganisationId } from '../organisations/caller.ts';
import { pauseAfter, type Pauses, type Retry } from '../queue/retry-rules.ts';

export type OperationStatus = Operation['status'];
export type Stage = z.infer<typeof progress>['stage'];
/** A JSON object that a feature stores in the row; only that feature knows its shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A row of the operation table. Times come from the database. */
export interface OperationRow {
  readonly guid: string;
  readonly organisationId: OrganisationId;
  readonly accountGuid: string | null;
  readonly clientGuid: string | null;
  /** The data that a client application attached, and the URL of its callback. */
  readonly userInfo: string | null;
  readonly callbackUrl: string | null;
  /** The base address of the Encoding API under which it was started; null: through the portal's own API. */
  readonly baseAddress: string | null;
  readonly family: Family;
  readonly workflow: Workflow;
  readonly type: OperationType;
  readonly slotGuid: string;
  readonly userFlow: 'D' | 'E';
  readonly contextData: string | null;
  /** The request; only the handler of this type knows its shape. */
  readonly request: JsonObject;
  readonly status: OperationStatus;
  readonly attempt: number;
  readonly crashes: number;
  /** Workers whose process died while it worked on the operation. */
  readonly deaths: number;
  readonly stage: Stage;
  readonly fraction: number;
  /** The result; only the handler's feature knows its shape. */
  readonly result: JsonObject | null;
  readonly errorName: string | null;
  readonly errorDetail: string | null;
  readonly internalCode: string | null;
  readonly errorSizes: WrongSize | null;
  /** The connection to the engine that works on it; null: the built-in engine. */
  readonly connectionGuid: string | null;
  /** What the engine has stored: sealed, or as a version before migration 0060 stored it. Only the engine reads it. */
  readonly engineContext: Buffer | JsonObject | null;
  /** The portal started it automatically: users do not see it. */
  readonly isBackground: boolean;
  readonly createdOn: Date;
  readonly startedOn: Date | null;
  readonly completedOn: Date | null;
}

/** The file that an operation seals again for a late download; null: it does something else. */
export function findSealedAgain({ request }: Pick<OperationRow, 'request'>): string | null {
  const { sealsAgain } = request as { readonly sealsAgain?: { readonly fileGuid: string } };
  return sealsAgain?.fileGuid ?? null;
}

/** What an operation produced: a file, or all components of its slot. */
export interface FinishedTarget {
  readonly kind: 'file' | 'components';
  /** null for the components, which are packed on request. */
  readonly fileGuid: string | null;
  readonly fileName: string;
}

/** What other features need from a finished operation: the download, and the recipient of the email. */
export interface FinishedOperation {
  readonly isEncode: boolean;
  /** null when the operation failed or the read contained no image. */
  readonly target: FinishedTarget | null;
  /** Who receives the result, besides the sender; the address and the note can be missing. */
  readonly notificationInfo: {
    readonly email: string | null;
    readonly message: string | null;
    readonly isPrivate: boolean;
  } | null;
}

/** Seconds between polls, for young operations and for those that take longer. */
const pollingIntervals = { young: 1, old: 2 } as const;
/** Milliseconds for which an operation counts as young. */
const youth = 10_000;

/** Attempts after which an unfinished operation fails. */
export const maxAttempts = 30;
/**
 * Attempts allowed after machine faults. While database or storage are unavailable or full, only {@link maxAttempts}
 * counts.
 */
export const maxMachineFaults = 6;
const machineFaultPauses: Pauses = { first: 1, longest: 30 };
/** With these, {@link maxAttempts} last for about two hours. */
const fullPauses: Pauses = { first: 1, longest: 300 };
/** Engine crashes after which an operation fails. */
export const maxCrashes = 2;
/**
 * Deaths of its worker's process after which an operation fails. After the first one, it runs alone: the others that
 * ran in that process then finish without it. Two later deaths are not a coincidence, such as a lack of power.
 */
export const maxDeaths = 3;

/** The stage of an operation that is worked on. */
export function workingStage({ type }: Pick<OperationRow, 'type'>): Stage {
  return describeOperationType(type).isDecode ? 'DECODING' : 'ENCODING';
}

/** Seconds between two polls, based on how long ago the operation was requested. */
export function suggestPollingInterval(createdOn: Date, now: Date): number {
  return now.getTime() - createdOn.getTime() < youth
    ? pollingIntervals.young
    : pollingIntervals.old;
}

/**
 * The record of an operation as calls, lists and events return it, checked against the contract. `result` is the
 * family's wire shape of `row.result`, with URLs created for this response.
 */
export function describeOperation(
  row: OperationRow,
  now: Date,
  result: JsonObject | null = null,
): Operation {
  const isCompleted = row.status === 'succeeded' || row.status === 'failed';
  // the record of a finished operation stays the same
  const interval = suggestPollingInterval(row.createdOn, row.completedOn ?? now);
  return operation.parse({
    guid: row.guid,
    asyncOperationGUID: row.guid,
    asyncOperationType: row.type,
    ...describeWorkflow(row.workflow),
    slotGUID: row.slotGuid,
    userFlow: row.userFlow,
    contextData: row.contextData,
    status: row.status,
    isCompleted,
    isSuccessful: row.status === 'succeeded',
    hasFailed: row.status === 'failed',
    suggestedPollingInterval: interval,
    recommendedPollingInterval: interval,
    startedOn: row.createdOn.toISOString(),
    completedOn: row.completedOn?.toISOString() ?? null,
    progress: { stage: row.stage, fraction: row.fraction },
    result: row.status === 'succeeded' ? result : null,
    error: operationErrorOf(row),
  } satisfies Record<keyof Operation, unknown>);
}

/** What a line of the recent operations shows from the slot. Values that only a decode finds are null until then. */
export interface LineSlot {
  readonly readFileName: string;
  readonly slaveSerialNumber: string | null;
  readonly protocolId: number | null;
  readonly engine: string | null;
}

/** Names that a line of the recent operations shows. */
export interface LineNames {
  readonly recipientEmail: string | null;
  readonly protocolName: string | null;
  readonly userDisplayName: string | null;
}

/** A line of the recent operations. */
export function summarizeOperation(
  row: OperationRow,
  slot: LineSlot,
  names: LineNames,
): OperationSummary {
  const name = row.result?.['name'];
  return {
    guid: row.guid,
    asyncOperationType: row.type,
    ...describeWorkflow(row.workflow),
    family: row.family,
    status: row.status,
    fileName: slot.readFileName,
    resultName: row.status === 'succeeded' && typeof name === 'string' ? name : null,
    recipientEmail: names.recipientEmail,
    slaveSerialNumber: slot.slaveSerialNumber,
    protocolID: slot.protocolId,
    protocolName: names.protocolName,
    engine: slot.engine,
    userDisplayName: names.userDisplayName,
    startedOn: row.createdOn.toISOString(),
    completedOn: row.completedOn?.toISOString() ?? null,
    error: operationErrorOf(row),
  };
}

/** What of an operation describes its error. */
export type FailedRow = Pick<
  OperationRow,
  'status' | 'family' | 'errorName' | 'errorDetail' | 'internalCode' | 'errorSizes'
>;

/** The error of a failed operation, or null. */
export function operationErrorOf(row: FailedRow): OperationError | null {
  if (row.status !== 'failed') return null;
  return {
    errorName: errorNamesOf(row.family).find((name) => name === row.errorName) ?? 'GENERIC_ERROR',
    detail: row.errorDetail,
    cause: row.internalCode,
    sizes: row.errorSizes,
  };
}

/** The waiting and running operations of an organisation that count against its quota. */
export interface ActiveCounts {
  /** Those that a tray has not started. */
  readonly others: number;
  readonly ofTrays: number;
}

/**
 * How many places of a quota trays can use: one stays free for the pages. Of a quota of one, trays use that one, and
 * it does not count for the pages.
 */
export function trayPlaces(parallelOperations: number): number {
  return Math.max(1, parallelOperations - 1);
}

/**
 * Whether an organisation can start another operation. A tray starts one only where a place stays free afterward;
 * the operations of trays alone therefore never keep a page from starting one.
 */
export function mayStart(
  { others, ofTrays }: ActiveCounts,
  parallelOperations: number,
  isOfTray: boolean,
): boolean {
  if (isOfTray) return others + ofTrays < trayPlaces(parallelOperations);
  return others + Math.min(ofTrays, parallelOperations - 1) < parallelOperations;
}

/**
 * Retries machine faults with increasing delays while attempts are left. Internal faults are not retried, because they
 * would only repeat. `attempt` counts from 1.
 */
export function retryAfterFault(attempt: number, isMachineFault: boolean): Retry {
  return isMachineFault && attempt < maxMachineFaults
    ? { decision: 'again', afterSeconds: pauseAfterFault(attempt) }
    : { decision: 'fail' };
}

/** Seconds to wait after an attempt that found a disk full: it can take hours until someone frees space. */
export function pauseWhileFull(attempt: number): number {
  return pauseAfter(attempt, fullPauses);
}

/** Seconds to wait after a machine fault in the given attempt. */
export function pauseAfterFault(attempt: number): number {
  return pauseAfter(attempt, machineFaultPauses);
}

/**
 * Retries immediately after the first engine crash, because the engine may have been killed from outside. `crashes`
 * includes this one.
 */
export function retryAfterCrash(crashes: number): Retry {
  return crashes < maxCrashes ? { decision: 'again', afterSeconds: 0 } : { decision: 'fail' };
}

/**
 * PostgreSQL's error classes for a lost connection, insufficient resources, operator intervention and transactions to
 * retry.
 */
const temporarySqlState = /^(08|40|53|57|58)[0-9A-Z]{3}$/;
/** Node's names of system errors. */
const systemError = /^E[A-Z0-9]{2,}$/;

/** PostgreSQL's class for insufficient resources, such as a full disk, and the system's errors of a full disk. */
const fullCode = /^(53[0-9A-Z]{3}|ENOSPC|EDQUOT)$/;

/** Whether an error means that a disk is full, or the database has no other resources left. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && fullCode.test(error.code)) return true;
  return error.cause !== undefined && isFull(error.cause);
}

/** Whether an error comes from the machine (disk, network, database) rather than from our code. */
export function isMachineFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && (systemError.test(code) || temporarySqlState.test(code)))
    return true;
  return error instanceof Error && error.cause !== undefined && isMachineFault(error.cause);
}
