/** What happens to a flow whose read is decoded: files are chosen and uploaded, encodes are requested and end. */
import type { DecodedRead } from '../../../../src/features/recoding/decoded-read.ts';
import type { FlowEvent } from '../../../../src/features/recoding/flow/state/flow-events.ts';
import {
  completePart,
  freshInputs,
  type Inputs,
  type PartState,
  type SettledPart,
} from '../../../../src/features/recoding/inputs.ts';
import {
  type Flow,
  idle,
  recodingFlow,
} from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { image } from '../../reads.ts';

export const after = (flow: Flow, ...events: FlowEvent[]): Flow =>
  events.reduce(recodingFlow, flow);

const result = {
  name: 'stage1.moc',
  encodedFileURL: '/api/files/moc',
  fileGUID: null,
  size: 4300,
  sha256: '',
  receiptCode: null,
  correctedChecksums: 3,
  warnings: [],
};
export const opened = (read: DecodedRead): Flow =>
  after(idle, { type: 'read-resumed', read, inputs: freshInputs(read), version: 0 });
export const choose = (to: string, attempt: number, name = 'stage1.bin'): FlowEvent => ({
  type: 'part-chosen',
  part: to,
  attempt,
  file: { name, size: 16 },
  isEngineUp: true,
});
export const uploaded = (attempt: number, fileGUID = 'file-1'): FlowEvent => ({
  type: 'part-uploaded',
  attempt,
  uploaded: { fileGUID, changes: null },
});
export const prepared = (): Flow => after(opened(image), choose('modified', 1), uploaded(1));
export const encode = {
  type: 'encode-asked',
  source: 'parts',
  attempt: 8,
} as const satisfies FlowEvent;

export const accepted = (attempt: number): FlowEvent => ({
  type: 'encode-accepted',
  attempt,
  operationGUID: 'encode-1',
});
export const ended: FlowEvent = { type: 'encode-ended', operationGUID: 'encode-1', result };

export const another: FlowEvent = { type: 'another-asked' };
export const back: FlowEvent = { type: 'encode-retried' };

export function inputsOf(flow: Flow): Inputs {
  if (flow.at !== 'decoded') throw new Error(`no inputs while ${flow.at}`);
  return flow.encode.inputs;
}
export const fileIn = (flow: Flow, name = 'modified'): PartState | undefined =>
  inputsOf(flow).parts[name];

export function used(read: DecodedRead, name: string): Inputs<SettledPart> {
  const fresh = freshInputs(read);
  const file = { part: name, fileGUID: 'v1', name: 'v1.bin', size: 16, changes: null };
  return { ...fresh, parts: { ...fresh.parts, [name]: completePart(file) } };
}
