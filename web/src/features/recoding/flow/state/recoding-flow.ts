/**
 * The state of the recoding page and all its transitions, for all families: from a read file to an encoded one; pure.
 */
import type { Workflow } from '@recodery/contract/families/registry';
import type { DecodedRead, FileLabel } from '../../decoded-read.ts';
import type { Encode, EncodeFailed, EncodeSucceeded, Encoding } from './encode-flow.ts';
import {
  encodeStep,
  isOpen,
  plannedInputs,
  unencodedInputs,
  whileEncoding,
} from './encode-flow.ts';
import { areUploading, freshInputs, hasFiles } from '../../inputs.ts';
import type { FlowEvent } from './flow-events.ts';
import type { Fault } from '../../fault.ts';

export type Flow =
  | { readonly at: 'choosing' }
  | {
      readonly at: 'uploading';
      readonly attempt: number;
      readonly file: FileLabel;
      readonly fraction: number;
    }
  | {
      readonly at: 'decoding';
      readonly operationGUID: string;
      readonly file: FileLabel | null;
      readonly isResumed: boolean;
    }
  | { readonly at: 'decoded'; readonly read: DecodedRead; readonly encode: Encode }
  /** An encode that was resumed after a reload and whose read is no longer available. */
  | { readonly at: 'resumed'; readonly encode: Encoding | EncodeSucceeded | EncodeFailed }
  | {
      readonly at: 'failed';
      readonly file: FileLabel | null;
      readonly fault: Fault;
      /** The page that opens the file instead. */
      readonly goesTo: Workflow | null;
    };

export const idle: Flow = { at: 'choosing' };

function noInputs(): Encoding['inputs'] {
  return { parts: {}, correctsCVN: false, skipsChecksum: false };
}

/** A resumed encode: if it was sent, its notification reports the result; otherwise the page waits for it. */
function resumeEncode({
  from,
  operationGUID,
  sentTo,
}: Extract<FlowEvent, { type: 'encode-resumed' }>): Flow {
  const isResumed = true;
  if (from === null) {
    const encoding = { at: 'encoding', plan: null, operationGUID, isResumed } as const;
    return { at: 'resumed', encode: { ...encoding, inputs: noInputs() } };
  }
  const { read, plan } = from;
  const inputs = plannedInputs(read, plan);
  // a sent encode can be repeated only for its original recipient
  const recipient = plan.recipient ?? 'unknown';
  return {
    at: 'decoded',
    read,
    encode:
      sentTo === null
        ? { at: 'encoding', inputs, plan, operationGUID, isResumed }
        : {
            at: 'sent',
            inputs,
            plan: { ...plan, recipient },
            operationGUID,
            mailTo: sentTo,
            news: null,
            isResumed,
          },
  };
}

/** The next state of an empty page: a chosen file, a refused file, or a resumed operation. */
function whileChoosing(flow: Flow, event: FlowEvent): Flow {
  switch (event.type) {
    case 'read-chosen':
      return event.isEngineUp
        ? { at: 'uploading', attempt: event.attempt, file: event.file, fraction: 0 }
        : flow;
    case 'read-rejected':
      return { at: 'failed', file: event.file, fault: event.fault, goesTo: event.goesTo };
    case 'decode-resumed': {
      const { operationGUID, file } = event;
      return { at: 'decoding', operationGUID, file, isResumed: true };
    }
    case 'read-resumed': {
      const { read, inputs } = event;
      return { at: 'decoded', read, encode: { at: 'preparing', inputs } };
    }
    case 'encode-resumed':
      return resumeEncode(event);
    default:
      return flow;
  }
}

function whileUploading(flow: Extract<Flow, { at: 'uploading' }>, event: FlowEvent): Flow {
  if (event.type === 'read-canceled') return idle;
  // A late event of a canceled upload has a different attempt number.
  if (!('attempt' in event) || event.attempt !== flow.attempt) return flow;
  switch (event.type) {
    case 'read-progressed':
      return { ...flow, fraction: event.fraction };
    case 'read-accepted': {
      const { operationGUID } = event;
      return { at: 'decoding', operationGUID, file: flow.file, isResumed: false };
    }
    case 'read-refused':
      return { at: 'failed', file: flow.file, fault: event.fault, goesTo: null };
    default:
      return flow;
  }
}

function whileDecoding(flow: Extract<Flow, { at: 'decoding' }>, event: FlowEvent): Flow {
  if (event.type === 'decode-ended' && event.operationGUID === flow.operationGUID) {
    const { read } = event;
    return { at: 'decoded', read, encode: { at: 'preparing', inputs: freshInputs(read) } };
  }
  return event.type === 'decode-failed' && event.operationGUID === flow.operationGUID
    ? { at: 'failed', file: flow.file, fault: event.fault, goesTo: null }
    : flow;
}

function whileFailed(flow: Extract<Flow, { at: 'failed' }>, event: FlowEvent): Flow {
  if (event.type === 'retried') return idle;
  if (event.type === 'followed-again' && flow.fault.kind === 'lost') {
    const { operationGUID } = flow.fault;
    return { at: 'decoding', operationGUID, file: flow.file, isResumed: true };
  }
  return flow;
}

/** After a lost connection, the page follows the encode again; the server still has the uploads. */
function followEncodeAgain(encode: Encode): Encode {
  if (encode.at !== 'failed' || encode.fault.kind !== 'lost') return encode;
  const { inputs, plan, fault } = encode;
  return { at: 'encoding', inputs, plan, operationGUID: fault.operationGUID, isResumed: true };
}

function whileResumed(flow: Extract<Flow, { at: 'resumed' }>, event: FlowEvent): Flow {
  const { encode } = flow;
  if (event.type === 'followed-again') {
    const again = followEncodeAgain(encode);
    return again.at === 'encoding' ? { at: 'resumed', encode: again } : flow;
  }
  if (encode.at === 'encoding') {
    const next = whileEncoding(encode, event);
    return next === encode ? flow : { at: 'resumed', encode: next };
  }
  // Without the read, nothing can be encoded again: both events lead back to an empty page.
  const isOver = event.type === 'another-asked' || event.type === 'encode-retried';
  return isOver ? idle : flow;
}

type Decoded = Extract<Flow, { at: 'decoded' }>;

/**
 * Another operation of the same read is opened. What the page was preparing is kept for the next encode, including
 * uploads in progress. While an encode is being requested, nothing changes: the page follows that operation and downloads
 * its file.
 */
function reopen(flow: Decoded, event: FlowEvent): Flow {
  if (flow.encode.at === 'requesting') return flow;
  const unencoded = unencodedInputs(flow.encode);
  if (event.type === 'encode-resumed' && event.from?.read.slotGUID === flow.read.slotGUID) {
    const { plan } = event.from;
    const unused = unencoded !== null && hasFiles(unencoded) ? unencoded : plan.unused;
    return resumeEncode({ ...event, from: { ...event.from, plan: { ...plan, unused } } });
  }
  const isSame = event.type === 'read-resumed' && event.read.slotGUID === flow.read.slotGUID;
  if (!isSame || isOpen(flow.encode)) return flow;
  const { read, inputs } = event;
  const unused = 'plan' in flow.encode ? flow.encode.plan?.unused : null;
  return { at: 'decoded', read, encode: { at: 'preparing', inputs: unused ?? inputs } };
}

/** The page after an event. An event that does not belong to the state is ignored. */
export function recodingFlow(flow: Flow, event: FlowEvent): Flow {
  // A reset returns to the empty page from any state and also discards the encode step.
  if (event.type === 'reset') return idle;
  switch (flow.at) {
    case 'choosing':
      return whileChoosing(flow, event);
    case 'uploading':
      return whileUploading(flow, event);
    case 'decoding':
      return whileDecoding(flow, event);
    case 'failed':
      return whileFailed(flow, event);
    case 'resumed':
      return whileResumed(flow, event);
    case 'decoded': {
      const { read } = flow;
      if (event.type === 'encode-resumed' || event.type === 'read-resumed') {
        return reopen(flow, event);
      }
      const encode =
        event.type === 'followed-again'
          ? followEncodeAgain(flow.encode)
          : encodeStep(read, flow.encode, event);
      return encode === flow.encode ? flow : { ...flow, encode };
    }
  }
}

/** Whether a file is being uploaded. */
export function isUploading(flow: Flow): boolean {
  if (flow.at !== 'decoded') return flow.at === 'uploading';
  const unencoded = unencodedInputs(flow.encode);
  return unencoded !== null && areUploading(unencoded);
}

/** Whether the page contains files that the user would lose: files that are not encoded yet, or still uploading. */
export function wouldLoseFiles(flow: Flow): boolean {
  if (flow.at !== 'decoded') return flow.at === 'uploading';
  const unencoded = unencodedInputs(flow.encode);
  return unencoded !== null && hasFiles(unencoded);
}
