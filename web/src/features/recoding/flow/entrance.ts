/** Opens a recoding page: whether the caller may use it, what is allowed, and which operation it resumes. */
import { Refusal, statusOf } from '@recodery/contract/errors';
import type { Workflow } from '@recodery/contract/families/registry';
import { getJob } from '@recodery/contract/features/jobs';
import { getOperation, type Operation, operation } from '@recodery/contract/features/operations';
import { getEncodeDraft } from '@recodery/contract/features/slots';
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '../../../api/call.ts';
import { pageOfOperation } from '../../operations/operation-page.ts';
import { decodeOperationIn } from './context-data.ts';
import type { Entry, FileLabel } from '../decoded-read.ts';
import type { DeviceQuery, Entered, FamilyPage } from '../families/family-page.ts';
import type { Resumed } from './resume-operation.ts';
import { saveUnsaved } from './save-draft.ts';

/** `entry` is null when the server only reported pending operations: the page asks later what is allowed. */
export interface Entrance {
  readonly entry: Entry | null;
  readonly resumed: Resumed | null;
  /** The address names an operation that does not belong to this page; the page that opens it, if there is one. */
  readonly notFound: { readonly opensAt: Workflow | null } | null;
}

/** The first of the page's pending operations that a throttling error lists, or null. */
function firstPending(page: FamilyPage, thrown: unknown): Operation | null {
  if (!(thrown instanceof Refusal) || thrown.code !== 'API_ERROR_THROTTLING') return null;
  const details = z.safeParse(z.array(operation), thrown.details);
  return details.success
    ? (details.data.find((one) => pageOfOperation(one) === page.id) ?? null)
    : null;
}

/**
 * Calls the entry point; on a throttling error with pending operations, the page resumes the first one instead of
 * refusing.
 */
function enter(page: FamilyPage, device: DeviceQuery, signal: AbortSignal): Promise<Entered> {
  return page.enter(device, signal).catch((thrown: unknown) => {
    const active = firstPending(page, thrown);
    if (active === null) throw thrown;
    return { entry: null, active };
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

/** The read file of a slot; null if it cannot be found out, because the page works without its name. */
async function findReadFile(
  slotGUID: string | null,
  signal: AbortSignal,
): Promise<FileLabel | null> {
  if (slotGUID === null) return null;
  const job = await call(getJob, { params: { slotGUID } }, { signal }).catch(() => null);
  const name = job?.fileName;
  if (name === undefined) return null;
  return { name, size: job?.files.find(({ role }) => role === 'read')?.size ?? null };
}

/** An operation with its read and draft; null if it belongs to another page. */
async function resume(
  page: FamilyPage,
  taken: Operation,
  signal: AbortSignal,
): Promise<Resumed | null> {
  if (pageOfOperation(taken) !== page.id) return null;
  const decodeGUID =
    taken.asyncOperationType === page.decodes ? taken.guid : decodeOperationIn(taken.contextData);
  const decode =
    decodeGUID === null || decodeGUID === taken.guid
      ? taken
      : await findOperation(decodeGUID, signal);
  if (decode?.asyncOperationType !== page.decodes || !decode.isSuccessful) {
    const isDecode = taken.asyncOperationType === page.decodes;
    const readFile = isDecode ? await findReadFile(taken.slotGUID, signal) : null;
    return { operation: taken, readFile, slot: null };
  }
  const read = page.readOf(decode);
  const params = { slotGUID: read.slotGUID };
  await saveUnsaved(read.slotGUID);
  const draft = await orNull(call(getEncodeDraft, { params }, { signal }));
  return { operation: taken, readFile: null, slot: draft && { read, draft } };
}

/** The operations that a page can resume, in addition to running ones. */
export interface Wanted {
  /** The operation in the page's address. */
  readonly named: string | null;
  /** The operation that the page showed when the user last left it in this tab. */
  readonly remembered: string | null;
}

async function resumeByGuid(page: FamilyPage, guid: string | null, signal: AbortSignal) {
  const operation = guid === null ? null : await findOperation(guid, signal);
  return { operation, resumed: operation && (await resume(page, operation, signal)) };
}

/** What a page needs before it renders: what is allowed, and what it resumes. */
export function entranceQuery(page: FamilyPage, device: DeviceQuery, wanted: Wanted) {
  return queryOptions({
    queryKey: ['code', 'entrance', page.id, device.groupCode, device.masterDeviceSerialNumber],
    queryFn: async ({ signal }): Promise<Entrance> => {
      const { entry, active } = await enter(page, device, signal);
      const named = await resumeByGuid(page, wanted.named, signal);
      const resumed =
        named.resumed ??
        (active && (await resume(page, active, signal))) ??
        (await resumeByGuid(page, wanted.remembered, signal)).resumed;
      const isFound = wanted.named === null || named.resumed !== null;
      const opensAt = named.operation && pageOfOperation(named.operation);
      return { entry, resumed, notFound: isFound ? null : { opensAt } };
    },
    // The page keeps this first response; only a newly opened page asks again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    retry: (failures, thrown) => failures < 2 && !(thrown instanceof Refusal),
  });
}
