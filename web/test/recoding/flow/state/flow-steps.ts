/** The events of the recoding page in the order of a real workflow, and what tests look at in its state. */
import type { DecodedRead } from '../../../../src/features/recoding/decoded-read.ts';
import type { Fault } from '../../../../src/features/recoding/fault.ts';
import type {
  FlowEvent,
  SendingNews,
} from '../../../../src/features/recoding/flow/state/flow-events.ts';
import {
  draftOfInputs,
  freshInputs,
  type Inputs,
  type PartState,
} from '../../../../src/features/recoding/inputs.ts';
import {
  type Flow,
  idle,
  recodingFlow,
} from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { image } from '../../reads.ts';

export const file = { name: 'read.kv2', size: 4200 };
export const tune = { name: 'stage1.bin', size: 4096 };
export const fault: Fault = {
  kind: 'failed',
  error: { errorName: 'FILE_CORRUPTED', detail: null },
  operationGUID: 'decode-1',
};
export const lost = (operationGUID: string): Fault => ({ kind: 'lost', operationGUID });
export const uploaded = { fileGUID: 'file-1', changes: null };
export const result = {
  name: 'stage1.moc',
  encodedFileURL: '/api/files/moc',
  fileGUID: null,
  size: 4300,
  sha256: '',
  receiptCode: null,
  correctedChecksums: 3,
  warnings: [],
};

export const after = (...events: FlowEvent[]): Flow => events.reduce(recodingFlow, idle);

// Events, named as in the table below.
export const choose = {
  type: 'read-chosen',
  attempt: 1,
  file,
  isEngineUp: true,
} satisfies FlowEvent;
export const accepted = {
  type: 'read-accepted',
  attempt: 1,
  operationGUID: 'decode-1',
} satisfies FlowEvent;
export const ended = (read: DecodedRead = image): FlowEvent => ({
  type: 'decode-ended',
  operationGUID: 'decode-1',
  read,
});
export const choosePart = (part: string, attempt: number): FlowEvent => ({
  type: 'part-chosen',
  part,
  attempt,
  file: tune,
  isEngineUp: true,
});
export const partUploaded = (attempt: number): FlowEvent => ({
  type: 'part-uploaded',
  attempt,
  uploaded,
});
export const partRefused = (attempt: number): FlowEvent => ({
  type: 'part-refused',
  attempt,
  fault,
});
export const encode = { type: 'encode-asked', source: 'parts', attempt: 9 } satisfies FlowEvent;
export const reencode = { type: 'encode-asked', source: 'decoded', attempt: 9 } satisfies FlowEvent;
export const encodeAccepted = {
  type: 'encode-accepted',
  attempt: 9,
  operationGUID: 'encode-1',
} satisfies FlowEvent;
export const encodeEnded = {
  type: 'encode-ended',
  operationGUID: 'encode-1',
  result,
} satisfies FlowEvent;
export const another = { type: 'another-asked' } satisfies FlowEvent;
export const encodeFailed = {
  type: 'encode-failed',
  operationGUID: 'encode-1',
  fault,
} satisfies FlowEvent;
export const send = { type: 'send-asked', source: 'parts' } satisfies FlowEvent;
export const confirm = (email: string | null): FlowEvent => ({
  type: 'send-confirmed',
  recipient: { email, message: 'Ciao', isPrivate: true },
  attempt: 9,
});
export const newsEvent = (news: Partial<SendingNews> = {}): FlowEvent => ({
  type: 'sending-reported',
  news: {
    guid: 'encode-1',
    isSuccessful: true,
    message: 'File encoded and sent',
    longMessage: 'golf.moc · KV2-000007',
    targetURL: '/api/files/golf',
    targetURLFileName: 'golf.moc',
    errorCode: null,
    errorDetail: null,
    mail: null,
    ...news,
  },
});
export const failedToSend = newsEvent({ isSuccessful: false, errorCode: 'FILE_SAVE_ERROR' });
export const remove = (part: string, isRemoved = true): FlowEvent => ({
  type: 'part-removed',
  part,
  isRemoved,
});
export const encodeResumed = (
  read: DecodedRead | null,
  sentTo: string | null = null,
): FlowEvent => ({
  type: 'encode-resumed',
  operationGUID: 'encode-1',
  from: read && {
    read,
    plan: { source: 'parts', recipient: null, prepared: freshInputs(read), unused: null },
  },
  sentTo,
});
export const sentResumed = encodeResumed(image, 'garage@rossi.test');

export const decoded = (read: DecodedRead = image) => [choose, accepted, ended(read)];
export const ready = (read: DecodedRead = image) => [
  ...decoded(read),
  choosePart('modified', 2),
  partUploaded(2),
];

/** The state of the page: the read's state, and after a slash the encode step's. */
export function stateOf(flow: Flow): string {
  return flow.at === 'decoded' || flow.at === 'resumed' ? `${flow.at}/${flow.encode.at}` : flow.at;
}

export function inputsIn(flow: Flow): Inputs {
  if (flow.at !== 'decoded') throw new Error(`no inputs while ${flow.at}`);
  return flow.encode.inputs;
}

export const partsOf = (flow: Flow): Readonly<Record<string, PartState>> => inputsIn(flow).parts;

/** What the server stores of the inputs. */
export const storedOf = (flow: Flow) => draftOfInputs(inputsIn(flow));

export const partStates = (flow: Flow) =>
  Object.fromEntries(Object.entries(partsOf(flow)).map(([name, part]) => [name, part.at]));
