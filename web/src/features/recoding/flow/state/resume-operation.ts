/**
 * Maps between the page's state and the operation in its address: restores the state from the operation, and returns
 * the operation that the address should name.
 */
import { describeOperationType } from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/features/operations';
import type { EncodeResult } from '@recodery/contract/results';
import type { SlotDraft } from '@recodery/contract/features/slots';
import { planIn, sentToIn } from '../drafts/context-data.ts';
import type { DecodedRead, FileLabel } from '../../decoded-read.ts';
import type { FamilyPage } from '../../families/family-page.ts';
import { faultOf, operationOf } from '../../fault.ts';
import type { OnShow } from '../../../notifications/seen-here.ts';
import type { Encode } from './encode-flow.ts';
import type { FlowEvent } from './flow-events.ts';
import { inputsOfDraft } from '../../inputs.ts';
import { type Flow, idle, recodingFlow } from './recoding-flow.ts';

/** An operation that a page resumes, and its read with the draft, if they still exist. */
export interface Resumed {
  readonly operation: Operation;
  /** The read file of a decode that is running or has failed; null if it is unknown, or if `slot` has it. */
  readonly readFile: FileLabel | null;
  readonly slot: {
    readonly read: DecodedRead;
    readonly draft: SlotDraft;
    /** The GUIDs of the files that the encodes of the read have used; empty for a decode. */
    readonly encoded: readonly string[];
  } | null;
}

/** The event for the end of a decode. */
export function decodeEnd(page: FamilyPage, operation: Operation): FlowEvent {
  const operationGUID = operation.guid;
  return operation.isSuccessful
    ? { type: 'decode-ended', operationGUID, read: page.readOf(operation) }
    : { type: 'decode-failed', operationGUID, fault: faultOf(operation) };
}

type EncodeOperation = Extract<Operation, { readonly result: EncodeResult | null }>;

function isEncode(operation: Operation): operation is EncodeOperation {
  return !describeOperationType(operation.asyncOperationType).isDecode;
}

/** The event for the end of an encode. */
export function encodeEnd(operation: Operation): FlowEvent {
  const operationGUID = operation.guid;
  if (!operation.isSuccessful) {
    return { type: 'encode-failed', operationGUID, fault: faultOf(operation) };
  }
  const result = isEncode(operation) ? operation.result : null;
  if (result === null) throw new Error(`${operationGUID} has no encode result`);
  return { type: 'encode-ended', operationGUID, result };
}

/** The events that lead to an operation on an empty page, or on one that shows the same read. */
export function eventsOf(
  page: FamilyPage,
  { operation, readFile, slot }: Resumed,
): readonly FlowEvent[] {
  const operationGUID = operation.guid;
  if (operation.asyncOperationType === page.decodes) {
    if (slot) {
      const { read, draft } = slot;
      return [
        { type: 'read-resumed', read, inputs: inputsOfDraft(read, draft), version: draft.version },
      ];
    }
    const resumed: FlowEvent = { type: 'decode-resumed', operationGUID, file: readFile };
    return operation.isCompleted ? [resumed, decodeEnd(page, operation)] : [resumed];
  }
  const { contextData } = operation;
  const from = slot && {
    read: slot.read,
    plan: planIn(contextData, slot.read, slot.draft, slot.encoded),
  };
  const sentTo = slot && sentToIn(contextData);
  const resumed: FlowEvent = { type: 'encode-resumed', operationGUID, from, sentTo };
  return operation.isCompleted ? [resumed, encodeEnd(operation)] : [resumed];
}

/** The initial state of a page. */
export function beginning(page: FamilyPage, resumed: Resumed | null): Flow {
  return resumed ? eventsOf(page, resumed).reduce(recodingFlow, idle) : idle;
}

/** What the page is doing: the encode, once a read is decoded, or, before that, the read. */
function currentOf(flow: Flow): Flow | Encode {
  return flow.at === 'decoded' || flow.at === 'resumed' ? flow.encode : flow;
}

/** The operation that the page's address names, so that a reload finds it again; null for an empty page. */
export function operationShown(flow: Flow): string | null {
  const current = currentOf(flow);
  if ('operationGUID' in current) return current.operationGUID;
  const failed = current.at === 'failed' ? operationOf(current.fault) : null;
  return failed ?? (flow.at === 'decoded' ? flow.read.operationGUID : null);
}

/** The operation that the page waits for, or null. */
export function operationAwaited(
  flow: Flow,
): { readonly guid: string; readonly isResumed: boolean } | null {
  const current = currentOf(flow);
  if (current.at !== 'decoding' && current.at !== 'encoding') return null;
  return { guid: current.operationGUID, isResumed: current.isResumed };
}

/**
 * The operation whose end the page learns from the operation itself, or null. Not awaited: it was sent, and is followed
 * only because its notification may be a colleague's.
 */
export function operationFollowed(
  flow: Flow,
): { readonly guid: string; readonly isResumed: boolean; readonly isAwaited: boolean } | null {
  const awaited = operationAwaited(flow);
  if (awaited !== null) return { ...awaited, isAwaited: true };
  const current = currentOf(flow);
  if (current.at !== 'sent' || !current.isResumed || current.news !== null) return null;
  return { guid: current.operationGUID, isResumed: true, isAwaited: false };
}

/** The operation that the page shows and whether it shows its result, or null. */
export function operationOnShow(flow: Flow): OnShow | null {
  const current = currentOf(flow);
  switch (current.at) {
    case 'decoding':
    case 'encoding':
      return { guid: current.operationGUID, hasEnded: false };
    case 'encoded':
      // The page also shows the status of a sent file's email; until that is known, the operation counts as running.
      return { guid: current.operationGUID, hasEnded: current.mailTo === null };
    case 'sent': {
      const { news, operationGUID } = current;
      return { guid: operationGUID, hasEnded: news !== null && news.mail?.status !== 'waiting' };
    }
    case 'failed': {
      // An error means the end of an operation only if the operation failed. If the connection was lost, it may still
      // be running.
      const { fault } = current;
      return fault.kind === 'failed' ? { guid: fault.operationGUID, hasEnded: true } : null;
    }
    default:
      return flow.at === 'decoded' ? { guid: flow.read.operationGUID, hasEnded: true } : null;
  }
}

/** The operation whose notification reports its result and email status, or null: the page does not wait for it. */
export function operationSent(flow: Flow): string | null {
  if (flow.at !== 'decoded' || !('mailTo' in flow.encode)) return null;
  return flow.encode.mailTo === null ? null : flow.encode.operationGUID;
}

/** The file that is downloaded automatically in this state, or null. */
export function arrivalOf(
  flow: Flow,
): { readonly operationGUID: string; readonly url: string } | null {
  const current = currentOf(flow);
  if (current.at === 'encoded' && current.mailTo === null) {
    return { operationGUID: current.operationGUID, url: current.result.encodedFileURL };
  }
  if (flow.at !== 'decoded' || !flow.read.arrivesByItself || !flow.read.decodedFile) return null;
  return { operationGUID: flow.read.operationGUID, url: flow.read.decodedFile.url };
}
