/** The encode step's states and the transitions between them, once a read is decoded; pure. */
import type { EncodeResult } from '@recodery/contract/recoding';
import type { DecodedRead, Part, PartName } from './decoded-read.ts';
import type { EncodeSource, FlowEvent, SendingNews } from './flow-events.ts';
import type { Fault } from './fault.ts';
import { freshInputs, type Inputs, type PartState, type SettledPart, settled } from './inputs.ts';

/** What happens to one encode request; `mailTo` is the address that the result goes to, if any. */
export type Encode =
  | Preparing
  | {
      readonly at: 'addressing';
      readonly inputs: Inputs<SettledPart>;
      readonly source: EncodeSource;
    }
  | {
      readonly at: 'requesting';
      readonly inputs: Inputs<SettledPart>;
      readonly source: EncodeSource;
      readonly attempt: number;
      readonly mailTo: string | null;
    }
  | Encoding
  | Encoded
  | Sent
  | EncodeFailed;

export type Preparing = { readonly at: 'preparing'; readonly inputs: Inputs };
export type Encoding = {
  readonly at: 'encoding';
  readonly inputs: Inputs<SettledPart>;
  readonly operationGUID: string;
  readonly isResumed: boolean;
};
export type Encoded = {
  readonly at: 'encoded';
  readonly inputs: Inputs<SettledPart>;
  readonly operationGUID: string;
  readonly result: EncodeResult;
};
/** Handed over to encoding and sending; `news` is null until the encode has ended. */
export type Sent = {
  readonly at: 'sent';
  readonly inputs: Inputs<SettledPart>;
  readonly operationGUID: string;
  readonly mailTo: string;
  readonly news: SendingNews | null;
};
export type EncodeFailed = {
  readonly at: 'failed';
  readonly inputs: Inputs<SettledPart>;
  readonly fault: Fault;
};

/** Whether encoding may begin: nothing is on its way, and every part that is needed is there. */
export function mayEncode(read: DecodedRead, inputs: Inputs): boolean {
  const isThere = (part: Part) => !part.isNeeded || inputs.parts[part.name]?.at === 'complete';
  return settled(inputs) !== null && read.parts.every(isThere);
}

/** Whether this source can be encoded now. */
function mayEncodeFrom(read: DecodedRead, inputs: Inputs, source: EncodeSource): boolean {
  return source === 'decoded' ? read.isReencodePossible : mayEncode(read, inputs);
}

/** The name of the part whose upload bears this attempt, or undefined. */
function uploadingPart(inputs: Inputs, attempt: number): PartName | undefined {
  return Object.keys(inputs.parts).find((name) => {
    const part = inputs.parts[name];
    return part?.at === 'uploading' && part.attempt === attempt;
  });
}

function choosePart(
  inputs: Inputs,
  event: Extract<FlowEvent, { type: 'part-chosen' }>,
): PartState | null {
  if (!event.isEngineUp || inputs.parts[event.part]?.at !== 'ready') return null;
  return { at: 'uploading', attempt: event.attempt, file: event.file, fraction: 0 };
}

function switchRemoval(read: DecodedRead, name: PartName, was: PartState, isRemoved: boolean) {
  const isRemovable = read.parts.some((part) => part.name === name && part.isRemovable);
  if (!isRemovable || isRemoved === (was.at === 'removed')) return null;
  if (was.at === 'removed') return was.kept ?? ({ at: 'ready', fault: null } as const);
  return { at: 'removed', kept: was.at === 'complete' ? was : null } as const;
}

/** The name of the part that an event is about, and the state that it takes; null where nothing changes. */
function changePart(
  read: DecodedRead,
  inputs: Inputs,
  event: FlowEvent,
): readonly [PartName, PartState] | null {
  const entry = (name: PartName, part: PartState | null) => (part ? ([name, part] as const) : null);
  switch (event.type) {
    case 'part-chosen':
      return entry(event.part, choosePart(inputs, event));
    case 'part-cancelled':
      return inputs.parts[event.part]?.at === 'uploading'
        ? [event.part, { at: 'ready', fault: null }]
        : null;
    case 'part-restored': {
      const part = inputs.parts[event.part];
      const isToClear = part?.at === 'complete' || (part?.at === 'ready' && part.fault !== null);
      return isToClear ? [event.part, { at: 'ready', fault: null }] : null;
    }
    case 'part-removed': {
      const part = inputs.parts[event.part];
      return part
        ? entry(event.part, switchRemoval(read, event.part, part, event.isRemoved))
        : null;
    }
    case 'part-progressed':
    case 'part-uploaded':
    case 'part-refused':
      return changeUpload(inputs, event);
    default:
      return null;
  }
}

type UploadEvent = Extract<
  FlowEvent,
  { type: 'part-progressed' | 'part-uploaded' | 'part-refused' }
>;

/** What an upload tells of itself; the late word of one that was cancelled meets no part and changes nothing. */
function changeUpload(inputs: Inputs, event: UploadEvent): readonly [PartName, PartState] | null {
  const name = uploadingPart(inputs, event.attempt);
  const part = name === undefined ? undefined : inputs.parts[name];
  if (name === undefined || part?.at !== 'uploading') return null;
  if (event.type === 'part-progressed') return [name, { ...part, fraction: event.fraction }];
  if (event.type === 'part-refused') return [name, { at: 'ready', fault: event.fault }];
  const { fileGUID, changes } = event.uploaded;
  return [name, { at: 'complete', file: part.file, fileGUID, changes }];
}

function whilePreparing(read: DecodedRead, encode: Preparing, event: FlowEvent): Encode {
  const { inputs } = encode;
  switch (event.type) {
    case 'cvn-switched':
      return read.isCVNCorrectionPossible
        ? { ...encode, inputs: { ...inputs, correctsCVN: event.corrects } }
        : encode;
    case 'checksum-switched':
      return { ...encode, inputs: { ...inputs, skipsChecksum: event.skips } };
    case 'encode-asked':
    case 'send-asked': {
      const still = settled(inputs);
      if (!still || !mayEncodeFrom(read, inputs, event.source)) return encode;
      const { source } = event;
      return event.type === 'send-asked'
        ? ({ at: 'addressing', inputs: still, source } as const)
        : requesting(read, { inputs: still, source }, event.attempt, null);
    }
    default: {
      const change = changePart(read, inputs, event);
      return change
        ? { ...encode, inputs: { ...inputs, parts: { ...inputs.parts, [change[0]]: change[1] } } }
        : encode;
    }
  }
}

/** Goes over to the request. Whoever encodes the decoded file puts nothing of his own into it, and none is shown. */
function requesting(
  read: DecodedRead,
  { inputs: given, source }: { inputs: Inputs<SettledPart>; source: EncodeSource },
  attempt: number,
  mailTo: string | null,
): Encode {
  const inputs = source === 'decoded' ? { ...given, parts: freshInputs(read).parts } : given;
  return { at: 'requesting', inputs, source, attempt, mailTo };
}

function whileRequesting(encode: Extract<Encode, { at: 'requesting' }>, event: FlowEvent): Encode {
  const { inputs, mailTo } = encode;
  if (event.type === 'encode-accepted' && event.attempt === encode.attempt) {
    const { operationGUID } = event;
    // With an address nothing waits and no download follows.
    return mailTo === null
      ? { at: 'encoding', inputs, operationGUID, isResumed: false }
      : { at: 'sent', inputs, operationGUID, mailTo, news: null };
  }
  return event.type === 'encode-refused' && event.attempt === encode.attempt
    ? { at: 'failed', inputs, fault: event.fault }
    : encode;
}

/** Encoding goes on without the read as well, after a reload; hence apart. */
export function whileEncoding(
  encode: Encoding,
  event: FlowEvent,
): Encoding | Encoded | EncodeFailed {
  const { inputs, operationGUID } = encode;
  if (event.type === 'encode-ended' && event.operationGUID === operationGUID) {
    return { at: 'encoded', inputs, operationGUID, result: event.result };
  }
  return event.type === 'encode-failed' && event.operationGUID === operationGUID
    ? { at: 'failed', inputs, fault: event.fault }
    : encode;
}

/** The notification tells the end of what was sent, and later what becomes of the mail. */
function whileSent(read: DecodedRead, encode: Sent, event: FlowEvent): Encode {
  if (event.type === 'another-asked') return { at: 'preparing', inputs: freshInputs(read) };
  if (event.type !== 'sending-told' || event.news.guid !== encode.operationGUID) return encode;
  const { inputs, operationGUID } = encode;
  const { isSuccessful, errorCode, errorDetail } = event.news;
  if (isSuccessful) return { ...encode, news: event.news };
  const error = { errorName: errorCode ?? 'GENERIC_ERROR', detail: errorDetail };
  return { at: 'failed', inputs, fault: { kind: 'failed', error, operationGUID } };
}

/** The encode step after an event; an event that does not belong to the state leaves it as it is. */
export function encodeStep(read: DecodedRead, encode: Encode, event: FlowEvent): Encode {
  switch (encode.at) {
    case 'preparing':
      return whilePreparing(read, encode, event);
    case 'addressing':
      if (event.type === 'send-cancelled') return { at: 'preparing', inputs: encode.inputs };
      return event.type === 'send-confirmed'
        ? requesting(read, encode, event.attempt, event.mailTo)
        : encode;
    case 'requesting':
      return whileRequesting(encode, event);
    case 'encoding':
      return whileEncoding(encode, event);
    case 'sent':
      return whileSent(read, encode, event);
    case 'encoded':
      return event.type === 'another-asked'
        ? { at: 'preparing', inputs: freshInputs(read) }
        : encode;
    case 'failed':
      return event.type === 'encode-retried'
        ? { at: 'preparing', inputs: freshInputs(read) }
        : encode;
  }
}
