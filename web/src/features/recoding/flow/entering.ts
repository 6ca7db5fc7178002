/** Enters a recoding page: whether the caller may, what is allowed, and what is taken up again. */
import { Refusal, statusOf } from '@recodery/contract/errors';
import type { Workflow } from '@recodery/contract/families/registry';
import { getOperation, type Operation, operation } from '@recodery/contract/operations';
import { getEncodeDraft } from '@recodery/contract/slots';
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '../../../api/call.ts';
import { pageOfOperation } from '../../operations/operation-page.ts';
import { decodeOperationIn } from './context-data.ts';
import type { Entry } from '../decoded-read.ts';
import type { DeviceQuery, Entered, FamilyPage } from '../families/family-page.ts';
import type { TakenUp } from './taking-up.ts';

/** `entry` is null when the server only said that operations are pending: what is allowed is asked again later. */
export interface Entrance {
  readonly entry: Entry | null;
  readonly takenUp: TakenUp | null;
  /** The address names an operation that does not exist here; a page that opens it, if there is one. */
  readonly notFound: { readonly opensAt: Workflow | null } | null;
}

/** The first of the page's pending operations that a throttling error carries, or null. */
function firstPending(page: FamilyPage, thrown: unknown): Operation | null {
  if (!(thrown instanceof Refusal) || thrown.code !== 'API_ERROR_THROTTLING') return null;
  const details = z.safeParse(z.array(operation), thrown.details);
  return details.success
    ? (details.data.find((one) => pageOfOperation(one) === page.id) ?? null)
    : null;
}

/** Asks the entry point; a throttling error with pending operations resumes the first instead of refusing. */
function enter(page: FamilyPage, device: DeviceQuery, signal: AbortSignal): Promise<Entered> {
  return page.enter(device, signal).catch((thrown: unknown) => {
    const active = firstPending(page, thrown);
    if (active === null) throw thrown;
    return { entry: null, active };
  });
}

/** What a call answers, or null where it is refused because there is no such thing: deleted, mistyped, or not ours. */
async function unlessGone<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((thrown: unknown) => {
    if (thrown instanceof Refusal && [400, 404].includes(statusOf(thrown.code))) return null;
    throw thrown;
  });
}

/** An operation by its guid, or null where there is none. */
function findOperation(guid: string, signal: AbortSignal): Promise<Operation | null> {
  return unlessGone(call(getOperation, { params: { guid } }, { signal }));
}

/** An operation with what belongs to it; null when it is another page's. */
async function takeUp(
  page: FamilyPage,
  taken: Operation,
  signal: AbortSignal,
): Promise<TakenUp | null> {
  if (pageOfOperation(taken) !== page.id) return null;
  const decodeGUID =
    taken.asyncOperationType === page.decodes ? taken.guid : decodeOperationIn(taken.contextData);
  const decode =
    decodeGUID === null || decodeGUID === taken.guid
      ? taken
      : await findOperation(decodeGUID, signal);
  if (decode?.asyncOperationType !== page.decodes || !decode.isSuccessful) {
    return { operation: taken, slot: null };
  }
  const read = page.readOf(decode);
  const params = { slotGUID: read.slotGUID };
  const draft = await unlessGone(call(getEncodeDraft, { params }, { signal }));
  return { operation: taken, slot: draft && { read, draft } };
}

/** The operations that a page may go on with, beside those that are running. */
export interface Wanted {
  /** What the page's address names. */
  readonly named: string | null;
  /** What the page showed when it was last left in this tab. */
  readonly remembered: string | null;
}

async function takeUpByGuid(page: FamilyPage, guid: string | null, signal: AbortSignal) {
  const operation = guid === null ? null : await findOperation(guid, signal);
  return { operation, takenUp: operation && (await takeUp(page, operation, signal)) };
}

/** What a page needs before it is shown: what is allowed, and what it goes on with. */
export function entranceQuery(page: FamilyPage, device: DeviceQuery, wanted: Wanted) {
  return queryOptions({
    queryKey: ['code', 'entrance', page.id, device.groupCode, device.masterDeviceSerialNumber],
    queryFn: async ({ signal }): Promise<Entrance> => {
      const { entry, active } = await enter(page, device, signal);
      const named = await takeUpByGuid(page, wanted.named, signal);
      const takenUp =
        named.takenUp ??
        (active && (await takeUp(page, active, signal))) ??
        (await takeUpByGuid(page, wanted.remembered, signal)).takenUp;
      const isFound = wanted.named === null || named.takenUp !== null;
      const opensAt = named.operation && pageOfOperation(named.operation);
      return { entry, takenUp, notFound: isFound ? null : { opensAt } };
    },
    // The page stands on what it was given; only a page opened anew asks anew.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    retry: (failures, thrown) => failures < 2 && !(thrown instanceof Refusal),
  });
}
