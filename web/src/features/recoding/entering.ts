/** Enters a recoding page: whether the caller may, what is allowed, and what is taken up again. */
import { Refusal, statusOf } from '@recodery/contract/errors';
import { getOperation, type Operation, operation } from '@recodery/contract/operations';
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '../../api/call.ts';
import { decodeOperationIn } from './context-data.ts';
import type { Entry } from './decoded-read.ts';
import type { DeviceQuery, Entered, FamilyPage } from './family-page.ts';
import type { TakenUp } from './taking-up.ts';

/** `entry` is null when the server only said that operations are pending: what is allowed is asked again later. */
export interface Entrance {
  readonly entry: Entry | null;
  readonly takenUp: TakenUp | null;
}

/** Whether a page may go on with an operation: the utility has the family's operations, but words of its own. */
function isOfPage(page: FamilyPage, { asyncOperationType: type, isUtility }: Operation): boolean {
  const isOfFamily = type === page.decodes || type === page.encodes;
  return isOfFamily && isUtility === (page.opens === 'utility-backup');
}

/** The first of the page's pending operations that a throttling error carries, or null. */
function firstPending(page: FamilyPage, thrown: unknown): Operation | null {
  if (!(thrown instanceof Refusal) || thrown.code !== 'API_ERROR_THROTTLING') return null;
  const details = z.safeParse(z.array(operation), thrown.details);
  return details.success ? (details.data.find((one) => isOfPage(page, one)) ?? null) : null;
}

/** Asks the entry point; a throttling error with pending operations resumes the first instead of refusing. */
function enter(page: FamilyPage, device: DeviceQuery, signal: AbortSignal): Promise<Entered> {
  return page.enter(device, signal).catch((thrown: unknown) => {
    const active = firstPending(page, thrown);
    if (active === null) throw thrown;
    return { entry: null, active };
  });
}

/** An operation by its guid, or null where it is not to be had: another organisation's, or swept away. */
async function findOperation(guid: string, signal: AbortSignal): Promise<Operation | null> {
  return call(getOperation, { params: { guid } }, { signal }).catch((thrown: unknown) => {
    // An address that is mistyped or old leads to an empty page, not to an error.
    if (thrown instanceof Refusal && [400, 404].includes(statusOf(thrown.code))) return null;
    throw thrown;
  });
}

/** An operation with what belongs to it; null when it is another page's. */
async function takeUp(
  page: FamilyPage,
  taken: Operation,
  signal: AbortSignal,
): Promise<TakenUp | null> {
  if (!isOfPage(page, taken)) return null;
  if (taken.asyncOperationType === page.decodes) {
    return { operation: taken, read: taken.isSuccessful ? page.readOf(taken) : null };
  }
  const decodeGUID = decodeOperationIn(taken.contextData);
  const decode = decodeGUID === null ? null : await findOperation(decodeGUID, signal);
  return { operation: taken, read: decode?.isSuccessful ? page.readOf(decode) : null };
}

/** What a page needs before it stands. `wanted` is the operation that its address names, if any. */
export function entranceQuery(page: FamilyPage, device: DeviceQuery, wanted: string | null) {
  return queryOptions({
    queryKey: ['code', 'entrance', page.id, device.groupCode, device.masterDeviceSerialNumber],
    queryFn: async ({ signal }): Promise<Entrance> => {
      const { entry, active } = await enter(page, device, signal);
      const taken = active ?? (wanted === null ? null : await findOperation(wanted, signal));
      return { entry, takenUp: taken === null ? null : await takeUp(page, taken, signal) };
    },
    // The page stands on what it was given; only a page opened anew asks anew.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    retry: (failures, thrown) => failures < 2 && !(thrown instanceof Refusal),
  });
}
