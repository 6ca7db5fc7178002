/** Opens a recoding page: whether the caller may use it, what is allowed, and which operation it resumes. */
import { statusOf } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import type { Workflow } from '@recodery/contract/families/registry';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { getOperation, type Operation } from '@recodery/contract/features/operations';
import { getEncodeDraft } from '@recodery/contract/features/slots';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { pageOfOperation } from '../../operations/operation-page.ts';
import { decodeOperationIn } from './drafts/context-data.ts';
import type { Entry, FileLabel } from '../decoded-read.ts';
import type { DeviceQuery, Entered, FamilyPage } from '../families/family-page.ts';
import type { Resumed } from './state/resume-operation.ts';

/** Why a page does not show the operation in its address. */
export interface OperationNotFound {
  /** The page that opens it instead; null if there is none. */
  readonly opensAt: Workflow | null;
  /** Its job was deleted with all files; false also if the operation does not exist. */
  readonly isDeleted: boolean;
}

/** `entry` is null while the quota is full: the page asks later what is allowed. */
export interface Entrance {
  readonly entry: Entry | null;
  readonly resumed: Resumed | null;
  /** The address names an operation that this page does not show. */
  readonly notFound: OperationNotFound | null;
}

/** The first of the page's pending operations that a throttling error lists, or null. */
function firstPending(page: FamilyPage, { details }: Refusal): Operation | null {
  if (!Array.isArray(details)) return null;
  return details.find((one) => pageOfOperation(one) === page.id) ?? null;
}

function isThrottling(thrown: unknown): thrown is Refusal {
  return thrown instanceof Refusal && thrown.code === 'API_ERROR_THROTTLING';
}

/**
 * Calls the entry point. While the quota is full, the page opens all the same: it resumes the first of its pending
 * operations, or waits for a file, and only the upload is refused.
 */
function enter(page: FamilyPage, device: DeviceQuery, signal: AbortSignal): Promise<Entered> {
  return page.enter(device, signal).catch((thrown: unknown) => {
    if (!isThrottling(thrown)) throw thrown;
    return { entry: null, active: firstPending(page, thrown) };
  });
}

/**
 * The response of a call, or null if it is refused because the object does not exist: deleted, mistyped, or not the
 * caller's.
 */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((thrown: unknown) => {
    if (thrown instanceof Refusal && [400, 404].includes(statusOf(thrown.code))) return null;
    throw thrown;
  });
}

/** An operation by its GUID, or null if there is none. */
function findOperation(guid: string, signal: AbortSignal): Promise<Operation | null> {
  return orNull(call(getOperation, { params: { guid } }, { signal }));
}

/** The job of a slot. What it needs is loaded only where an operation is resumed. */
async function fetchJob(slotGUID: string, signal: AbortSignal): Promise<Job> {
  const { getJob } = await import('@recodery/contract/features/jobs/jobs');
  return call(getJob, { params: { slotGUID } }, { signal });
}

/** The read file of a slot; null if it cannot be loaded: the page works without its name. */
async function findReadFile(
  slotGUID: string | null,
  signal: AbortSignal,
): Promise<FileLabel | null> {
  if (slotGUID === null) return null;
  const job = await fetchJob(slotGUID, signal).catch(() => null);
  const name = job?.fileName;
  if (name === undefined) return null;
  return { name, size: job?.files.find(({ role }) => role === 'read')?.size ?? null };
}

/** The GUIDs of the files that the encodes of a slot have used; none if its job cannot be read. */
async function findEncodedFiles(slotGUID: string, signal: AbortSignal): Promise<readonly string[]> {
  const job = await fetchJob(slotGUID, signal).catch(() => null);
  return job?.files.flatMap(({ madeFrom }) => madeFrom) ?? [];
}

/** The decode of the read that an operation is for; null if there is none, or its job was deleted. */
async function findDecode(
  page: FamilyPage,
  taken: Operation,
  signal: AbortSignal,
): Promise<Operation | null> {
  if (taken.asyncOperationType === page.decodes) return taken;
  const { contextData, slotGUID } = taken;
  let guid = decodeOperationIn(contextData);
  // another program started the encode, or the job was deleted with all contexts
  if (guid === null && slotGUID !== null) {
    const job = await orNull(fetchJob(slotGUID, signal));
    guid = job?.decodeOperationGUID ?? null;
  }
  const decode = guid === null ? null : await findOperation(guid, signal);
  return decode?.asyncOperationType === page.decodes ? decode : null;
}

/** What an operation resumes: `job-deleted` if it has succeeded, but its files no longer exist. */
async function resume(
  { page, saveKept }: Opened,
  taken: Operation,
  signal: AbortSignal,
): Promise<Resumed | 'other-page' | 'job-deleted'> {
  if (pageOfOperation(taken) !== page.id) return 'other-page';
  const decode = await findDecode(page, taken, signal);
  if (decode?.isSuccessful) {
    const read = page.readOf(decode);
    const params = { slotGUID: read.slotGUID };
    await saveKept(read.slotGUID);
    const [draft, encoded] = await Promise.all([
      orNull(call(getEncodeDraft, { params }, { signal })),
      taken === decode ? [] : findEncodedFiles(read.slotGUID, signal),
    ]);
    if (draft !== null) return { operation: taken, readFile: null, slot: { read, draft, encoded } };
  }
  if (taken.isSuccessful) return 'job-deleted';
  const isDecode = taken.asyncOperationType === page.decodes;
  const readFile = isDecode ? await findReadFile(taken.slotGUID, signal) : null;
  return { operation: taken, readFile, slot: null };
}

/** How a page is opened: the operations that it can resume, in addition to running ones. */
export interface EntranceOptions {
  /** The operation in the page's address. */
  readonly named: string | null;
  /** The operation that the page showed when the user last left it in this tab. */
  readonly remembered: string | null;
  /** Whether the user has chosen the device. */
  readonly isChosen: boolean;
  /** Saves what a closed page of this tab has kept of a slot, before its draft is read. */
  readonly saveKept: (slotGUID: string) => Promise<void>;
}

interface Opened extends Pick<EntranceOptions, 'saveKept'> {
  readonly page: FamilyPage;
}

async function resumeByGuid(opened: Opened, guid: string | null, signal: AbortSignal) {
  const operation = guid === null ? null : await findOperation(guid, signal);
  return { operation, ...(await resumeIf(opened, operation, signal)) };
}

async function resumeIf(opened: Opened, operation: Operation | null, signal: AbortSignal) {
  const outcome = operation && (await resume(opened, operation, signal));
  const resumed = typeof outcome === 'string' ? null : outcome;
  return { resumed, isDeleted: outcome === 'job-deleted' };
}

/** Milliseconds between two requests for what is allowed, while it is not known. */
const entryPolling = 5000;

/** Whether asking again cannot help: the refusal is not due to a failure of the server. */
function isFinal(thrown: unknown): boolean {
  if (!(thrown instanceof Refusal)) return false;
  return statusOf(thrown.code) < 500;
}

/** The data that a page needs before it renders: what is allowed, and what it resumes. */
export function entranceQuery(page: FamilyPage, device: DeviceQuery, wanted: EntranceOptions) {
  const read = { page, saveKept: wanted.saveKept };
  return queryOptions({
    queryKey: ['code', 'entrance', page.id, ...Object.values(device), wanted.isChosen],
    queryFn: async ({ signal, client, queryKey }): Promise<Entrance> => {
      const { entry, active } = await enter(page, device, signal);
      const opened = client.getQueryData<Entrance>(queryKey);
      if (opened !== undefined) return { ...opened, entry };
      const named = await resumeByGuid(read, wanted.named, signal);
      const { operation, isDeleted } = named;
      // below the notice that a job was deleted, another read would look as if it belonged to that job
      const remembered = isDeleted ? null : wanted.remembered;
      const resumed =
        named.resumed ??
        (await resumeIf(read, active, signal)).resumed ??
        (await resumeByGuid(read, remembered, signal)).resumed;
      const isFound = wanted.named === null || named.resumed !== null;
      const opensAt = operation === null || isDeleted ? null : pageOfOperation(operation);
      return { entry, resumed, notFound: isFound ? null : { opensAt, isDeleted } };
    },
    // The page keeps this first response; only a newly opened page asks again, and one that does not know what is allowed.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data, error } }) =>
      data?.entry === null && !isFinal(error) ? entryPolling : false,
    gcTime: 0,
    refetchOnReconnect: false,
    retry: (failures, thrown) => failures < 2 && !(thrown instanceof Refusal),
  });
}
