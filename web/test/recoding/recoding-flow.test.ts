/**
 * Every transition of the recoding page (product specification, section 4) as a line, and events that must change
 * nothing.
 */
import { Refusal } from '@recodery/contract/refusal';
import { describe, expect, test } from 'vitest';
import type { DecodedRead } from '../../src/features/recoding/decoded-read.ts';
import { mayEncode } from '../../src/features/recoding/flow/encode-flow.ts';
import type { Fault } from '../../src/features/recoding/fault.ts';
import type { Recipient } from '../../src/features/recoding/families/family-page.ts';
import type { FlowEvent, SendingNews } from '../../src/features/recoding/flow/flow-events.ts';
import {
  draftOfInputs,
  freshInputs,
  type Inputs,
  inputsOfDraft,
  type PartState,
  refusedParts,
  withUploads,
} from '../../src/features/recoding/inputs.ts';
import { type Flow, idle, recodingFlow } from '../../src/features/recoding/flow/recoding-flow.ts';
import { backup, bootBench, image, withoutImage } from './reads.ts';

const file = { name: 'read.kv2', size: 4200 };
const tune = { name: 'stage1.bin', size: 4096 };
const fault: Fault = {
  kind: 'failed',
  error: { errorName: 'FILE_CORRUPTED', detail: null },
  operationGUID: 'decode-1',
};
const lost = (operationGUID: string): Fault => ({ kind: 'lost', operationGUID });
const uploaded = { fileGUID: 'file-1', changes: null };
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

const after = (...events: FlowEvent[]): Flow => events.reduce(recodingFlow, idle);

// Events, named as in the table below.
const choose: FlowEvent = { type: 'read-chosen', attempt: 1, file, isEngineUp: true };
const accepted: FlowEvent = { type: 'read-accepted', attempt: 1, operationGUID: 'decode-1' };
const ended = (read: DecodedRead = image): FlowEvent => ({
  type: 'decode-ended',
  operationGUID: 'decode-1',
  read,
});
const choosePart = (part: string, attempt: number): FlowEvent => ({
  type: 'part-chosen',
  part,
  attempt,
  file: tune,
  isEngineUp: true,
});
const partUploaded = (attempt: number): FlowEvent => ({ type: 'part-uploaded', attempt, uploaded });
const partRefused = (attempt: number): FlowEvent => ({ type: 'part-refused', attempt, fault });
const encode: FlowEvent = { type: 'encode-asked', source: 'parts', attempt: 9 };
const reencode: FlowEvent = { type: 'encode-asked', source: 'decoded', attempt: 9 };
const encodeAccepted: FlowEvent = {
  type: 'encode-accepted',
  attempt: 9,
  operationGUID: 'encode-1',
};
const encodeEnded: FlowEvent = { type: 'encode-ended', operationGUID: 'encode-1', result };
const another: FlowEvent = { type: 'another-asked' };
const encodeFailed: FlowEvent = { type: 'encode-failed', operationGUID: 'encode-1', fault };
const send: FlowEvent = { type: 'send-asked', source: 'parts' };
const confirm = (email: string | null): FlowEvent => ({
  type: 'send-confirmed',
  recipient: { email, message: 'Ciao', isPrivate: true },
  attempt: 9,
});
const newsEvent = (news: Partial<SendingNews> = {}): FlowEvent => ({
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
const failedToSend = newsEvent({ isSuccessful: false, errorCode: 'FILE_SAVE_ERROR' });
const remove = (part: string, isRemoved = true): FlowEvent => ({
  type: 'part-removed',
  part,
  isRemoved,
});
const encodeResumed = (read: DecodedRead | null, sentTo: string | null = null): FlowEvent => ({
  type: 'encode-resumed',
  operationGUID: 'encode-1',
  from: read && {
    read,
    plan: { source: 'parts', recipient: null, prepared: freshInputs(read), unused: null },
  },
  sentTo,
});
const sentResumed = encodeResumed(image, 'garage@rossi.test');

const decoded = (read: DecodedRead = image) => [choose, accepted, ended(read)];
const ready = (read: DecodedRead = image) => [
  ...decoded(read),
  choosePart('modified', 2),
  partUploaded(2),
];

/** The state of the page: the read's state, and after a slash the encode step's. */
function stateOf(flow: Flow): string {
  return flow.at === 'decoded' || flow.at === 'resumed' ? `${flow.at}/${flow.encode.at}` : flow.at;
}

function inputsIn(flow: Flow): Inputs {
  if (flow.at !== 'decoded') throw new Error(`no inputs while ${flow.at}`);
  return flow.encode.inputs;
}

const partsOf = (flow: Flow): Readonly<Record<string, PartState>> => inputsIn(flow).parts;

/** What the server stores of the inputs. */
const storedOf = (flow: Flow) => draftOfInputs(inputsIn(flow));

const partStates = (flow: Flow) =>
  Object.fromEntries(Object.entries(partsOf(flow)).map(([name, part]) => [name, part.at]));

describe('the read', () => {
  // promise 2.decode.reset, 4.upload.reset, 4.decode.idle-uploading, 4.decode.uploading-decoding
  // promise 4.decode.decoded, 4.decode.error, 4.decode.retry, 4.decode.reset, 4.encode.waits
  // promise 4.encode.ready, 8.display.retry, d10.page.cancel
  test.each<[string, FlowEvent[], string]>([
    ['starts with an empty page', [], 'choosing'],
    ['is uploaded once chosen', [choose], 'uploading'],
    ['can be canceled during its upload', [choose, { type: 'read-canceled' }], 'choosing'],
    ['is decoded once uploaded', [choose, accepted], 'decoding'],
    ['is refused by the server', [choose, { type: 'read-refused', attempt: 1, fault }], 'failed'],
    [
      'is refused before uploading',
      [{ type: 'read-rejected', file, fault, goesTo: 'ktag' }],
      'failed',
    ],
    ['shows its result once decoded, ready to prepare', decoded(), 'decoded/preparing'],
    [
      'fails to decode',
      [choose, accepted, { type: 'decode-failed', operationGUID: 'decode-1', fault }],
      'failed',
    ],
    [
      'is chosen again after a retry',
      [choose, { type: 'read-refused', attempt: 1, fault }, { type: 'retried' }],
      'choosing',
    ],
    ['is reset while uploading', [choose, { type: 'reset' }], 'choosing'],
    ['is reset while decoding', [choose, accepted, { type: 'reset' }], 'choosing'],
    ['is reset once decoded', [...decoded(), { type: 'reset' }], 'choosing'],
    [
      'is followed again after the connection was lost',
      [
        choose,
        accepted,
        { type: 'decode-failed', operationGUID: 'decode-1', fault: lost('decode-1') },
        { type: 'followed-again' },
      ],
      'decoding',
    ],
    [
      'is resumed after a reload during decoding',
      [{ type: 'decode-resumed', operationGUID: 'decode-1', file: null }],
      'decoding',
    ],
    [
      'is resumed after a reload and ends decoded',
      [{ type: 'decode-resumed', operationGUID: 'decode-1', file: null }, ended()],
      'decoded/preparing',
    ],
    [
      'is shown again if it was decoded long ago',
      [{ type: 'read-resumed', read: image, inputs: freshInputs(image), version: 0 }],
      'decoded/preparing',
    ],
  ])('%s', (_, events, expected) => {
    expect(stateOf(after(...events))).toBe(expected);
  });

  // promise 4.upload.from-ready, 4.upload.engine-down
  test.each<[string, FlowEvent[], FlowEvent]>([
    [
      'a file chosen while the engine is down',
      [],
      { type: 'read-chosen', attempt: 1, file, isEngineUp: false },
    ],
    ['a second file during the upload', [choose], { ...choose, attempt: 2 }],
    ['a second file once decoded', decoded(), { ...choose, attempt: 2 }],
    [
      'a late event of a canceled upload',
      [choose, { type: 'read-canceled' }, { ...choose, attempt: 2 }],
      accepted,
    ],
    [
      'the progress of another upload',
      [choose],
      { type: 'read-progressed', attempt: 7, fraction: 1 },
    ],
    [
      'the end of another operation',
      [choose, accepted],
      { type: 'decode-ended', operationGUID: 'decode-0', read: image },
    ],
    ['canceling once the upload is complete', [choose, accepted], { type: 'read-canceled' }],
    ['a retry without a failure', decoded(), { type: 'retried' }],
    [
      'following a failed operation again',
      [choose, { type: 'read-refused', attempt: 1, fault }],
      { type: 'followed-again' },
    ],
  ])('is not changed by %s', (_, events, event) => {
    const flow = after(...events);
    expect(recodingFlow(flow, event)).toBe(flow);
  });

  // promise 4.upload.progress
  test('shows the progress of its upload', () => {
    const flow = after(choose, { type: 'read-progressed', attempt: 1, fraction: 0.5 });
    expect(flow).toMatchObject({ at: 'uploading', fraction: 0.5 });
  });
});

describe('a part', () => {
  // promise 3.decode.eeprom-removed, 4.upload.complete, 4.upload.reset, 4.encode.ktag-component
  // promise 4.encode.ktag-restore, 5.files.original-when-needed, d10.page.cancel
  test.each<[string, DecodedRead, FlowEvent[], Record<string, PartState['at']>]>([
    ['of an image is required', image, [], { modified: 'ready' }],
    [
      'for the original is required only if needed',
      withoutImage,
      [],
      { modified: 'ready', original: 'ready' },
    ],
    ['of a backup comes from the backup', backup, [], { flash: 'ready', eeprom: 'ready' }],
    [
      'of a BootBench read starts removed if it is the EEPROM',
      bootBench,
      [],
      { Flash: 'ready', Micro: 'ready', EEPROM: 'removed' },
    ],
    ['is uploaded once chosen', image, [choosePart('modified', 2)], { modified: 'uploading' }],
    [
      'can be canceled',
      image,
      [choosePart('modified', 2), { type: 'part-canceled', part: 'modified' }],
      { modified: 'ready' },
    ],
    [
      'is modified once uploaded',
      backup,
      [choosePart('flash', 2), partUploaded(2)],
      { flash: 'complete', eeprom: 'ready' },
    ],
    [
      'waits for another file after a refusal',
      backup,
      [choosePart('flash', 2), partRefused(2)],
      { flash: 'ready', eeprom: 'ready' },
    ],
    [
      'comes from the backup again after it is restored',
      backup,
      [choosePart('flash', 2), partUploaded(2), { type: 'part-restored', part: 'flash' }],
      { flash: 'ready', eeprom: 'ready' },
    ],
    [
      'is uploaded next to another',
      backup,
      [choosePart('flash', 2), choosePart('eeprom', 3), partUploaded(3)],
      { flash: 'uploading', eeprom: 'complete' },
    ],
    [
      'is removed',
      bootBench,
      [remove('Flash')],
      { Flash: 'removed', Micro: 'ready', EEPROM: 'removed' },
    ],
    [
      'is removed during its upload',
      bootBench,
      [choosePart('Flash', 2), remove('Flash'), partUploaded(2)],
      { Flash: 'removed', Micro: 'ready', EEPROM: 'removed' },
    ],
    [
      'keeps its modified file while it is removed',
      bootBench,
      [choosePart('Flash', 2), partUploaded(2), remove('Flash'), remove('Flash', false)],
      { Flash: 'complete', Micro: 'ready', EEPROM: 'removed' },
    ],
    [
      'that started removed comes from the backup if it is kept',
      bootBench,
      [remove('EEPROM', false)],
      { Flash: 'ready', Micro: 'ready', EEPROM: 'ready' },
    ],
  ])('%s', (_, read, events, expected) => {
    expect(partStates(after(...decoded(read), ...events))).toEqual(expected);
  });

  // promise 2.encode.removed, 4.upload.from-ready, 4.upload.engine-down, 4.encode.bench-removed
  test.each<[string, DecodedRead, FlowEvent[], FlowEvent]>([
    [
      'a file while the engine is down',
      image,
      [],
      { type: 'part-chosen', part: 'modified', attempt: 2, file: tune, isEngineUp: false },
    ],
    [
      'a second file while the first is uploaded',
      image,
      [choosePart('modified', 2)],
      choosePart('modified', 3),
    ],
    ['a file while it is removed', bootBench, [], choosePart('EEPROM', 2)],
    ['a file for a part that the read has not', image, [], choosePart('original', 2)],
    ['a removal where the family knows none', backup, [], remove('flash')],
    [
      'the end of an upload that was canceled',
      image,
      [choosePart('modified', 2), { type: 'part-canceled', part: 'modified' }],
      partUploaded(2),
    ],
  ])('is not changed by %s', (_, read, events, event) => {
    const flow = after(...decoded(read), ...events);
    expect(recodingFlow(flow, event)).toBe(flow);
  });

  test('shows why its file was refused until another is chosen or the error is cleared', () => {
    const refused = after(...decoded(backup), choosePart('flash', 2), partRefused(2));
    expect(partsOf(refused)['flash']).toEqual({
      at: 'ready',
      refused: { file: tune, fault, isNoted: false },
    });
    const restored = recodingFlow(refused, { type: 'part-refusal-cleared', part: 'flash' });
    expect(partsOf(restored)['flash']).toEqual({ at: 'ready', refused: null });
    expect(partStates(recodingFlow(refused, choosePart('flash', 3)))['flash']).toBe('uploading');
  });
});

describe('encoding', () => {
  // promise 4.encode.image-needs-modified, 4.encode.obd-needs-original, 4.encode.bench-always
  // promise 4.encode.ktag-always
  test.each<[string, DecodedRead, FlowEvent[], boolean]>([
    ['an image waits for the modified file', image, [], false],
    [
      'an image can start with the modified file',
      image,
      [choosePart('modified', 2), partUploaded(2)],
      true,
    ],
    [
      'a read without an image also waits for the original',
      withoutImage,
      [choosePart('modified', 2), partUploaded(2)],
      false,
    ],
    [
      'a read without an image can start with both',
      withoutImage,
      [choosePart('modified', 2), partUploaded(2), choosePart('original', 3), partUploaded(3)],
      true,
    ],
    ['a backup can always start', backup, [], true],
    ['a BootBench read can always start', bootBench, [], true],
    ['a backup waits for an upload in progress', backup, [choosePart('flash', 2)], false],
  ])('%s', (_, read, events, expected) => {
    const flow = after(...decoded(read), ...events);
    expect(flow.at === 'decoded' && mayEncode(read, flow.encode.inputs)).toBe(expected);
    expect(stateOf(recodingFlow(flow, encode))).toBe(
      expected ? 'decoded/requesting' : 'decoded/preparing',
    );
  });

  // promise 4.decode.reset, 4.resume.encode, 4.encode.encoding, 4.encode.success, 4.encode.error
  // promise 4.encode.start-over, 4.encode.reencode-image, 4.encode.reencode-original
  // promise 4.encode.reencode-bench, 4.send.popup, 4.send.cancel, 4.send.confirm, 4.send.with-mail
  // promise 4.send.without-mail
  test.each<[string, FlowEvent[], string]>([
    ['waits for encoding once accepted', [...ready(), encode, encodeAccepted], 'decoded/encoding'],
    ['succeeds', [...ready(), encode, encodeAccepted, encodeEnded], 'decoded/encoded'],
    [
      'is refused',
      [...ready(), encode, { type: 'encode-refused', attempt: 9, fault }],
      'decoded/failed',
    ],
    ['fails', [...ready(), encode, encodeAccepted, encodeFailed], 'decoded/failed'],
    [
      'of the decoded image starts without an upload',
      [...decoded(), reencode],
      'decoded/requesting',
    ],
    [
      'of the decoded image is not offered without an image',
      [...decoded(withoutImage), reencode],
      'decoded/preparing',
    ],
    [
      'of the decoded image is not offered for components',
      [...decoded(bootBench), reencode],
      'decoded/preparing',
    ],
    [
      'prepares another file after success',
      [...ready(), encode, encodeAccepted, encodeEnded, { type: 'another-asked' }],
      'decoded/preparing',
    ],
    [
      'prepares again after an error and a retry',
      [...ready(), encode, encodeAccepted, encodeFailed, { type: 'encode-retried' }],
      'decoded/preparing',
    ],
    [
      'is reset with everything else by starting over',
      [...ready(), encode, encodeAccepted, encodeEnded, { type: 'reset' }],
      'choosing',
    ],
    ['opens the send popup', [...ready(), send], 'decoded/addressing'],
    [
      'is canceled in the send popup',
      [...ready(), send, { type: 'send-canceled' }],
      'decoded/preparing',
    ],
    [
      'is confirmed in the send popup',
      [...ready(), send, confirm('garage@rossi.test')],
      'decoded/requesting',
    ],
    [
      'does not wait if an address was given',
      [...ready(), send, confirm('garage@rossi.test'), encodeAccepted],
      'decoded/sent',
    ],
    [
      'keeps showing the status of the email',
      [...ready(), send, confirm('garage@rossi.test'), encodeAccepted, newsEvent()],
      'decoded/sent',
    ],
    [
      'shows the failure from its notification, and can be retried',
      [...ready(), send, confirm('garage@rossi.test'), encodeAccepted, failedToSend],
      'decoded/failed',
    ],
    [
      'shows the encoded file of a sent encode that is opened after its end',
      [sentResumed, encodeEnded],
      'decoded/encoded',
    ],
    [
      'shows the failure of a sent encode that is opened after its end',
      [sentResumed, encodeFailed],
      'decoded/failed',
    ],
    [
      'shows the status of the email once its notification arrives',
      [sentResumed, encodeEnded, newsEvent()],
      'decoded/sent',
    ],
    [
      'waits for the result if no address was given',
      [...ready(), send, confirm(null), encodeAccepted],
      'decoded/encoding',
    ],
    [
      'prepares another file after sending',
      [...ready(), send, confirm('garage@rossi.test'), encodeAccepted, { type: 'another-asked' }],
      'decoded/preparing',
    ],
    ['is resumed after a reload', [encodeResumed(image)], 'decoded/encoding'],
    [
      'is resumed after a reload and succeeds',
      [encodeResumed(image), encodeEnded],
      'decoded/encoded',
    ],
    ['is resumed without its read', [encodeResumed(null)], 'resumed/encoding'],
    [
      'is resumed without its read and succeeds',
      [encodeResumed(null), encodeEnded],
      'resumed/encoded',
    ],
    [
      'is resumed without its read and fails',
      [encodeResumed(null), encodeFailed],
      'resumed/failed',
    ],
    [
      'leads to an empty page if it was resumed without its read',
      [encodeResumed(null), encodeEnded, { type: 'another-asked' }],
      'choosing',
    ],
    [
      'leads to an empty page if its retry has no read',
      [encodeResumed(null), encodeFailed, { type: 'encode-retried' }],
      'choosing',
    ],
    [
      'is followed again after the connection was lost',
      [
        ...ready(),
        encode,
        encodeAccepted,
        { type: 'encode-failed', operationGUID: 'encode-1', fault: lost('encode-1') },
        { type: 'followed-again' },
      ],
      'decoded/encoding',
    ],
    [
      'is followed again without its read',
      [
        encodeResumed(null),
        { type: 'encode-failed', operationGUID: 'encode-1', fault: lost('encode-1') },
        { type: 'followed-again' },
      ],
      'resumed/encoding',
    ],
  ])('%s', (_, events, expected) => {
    expect(stateOf(after(...events))).toBe(expected);
  });

  // promise 2.encode.cvn-switch, 4.encode.cvn-possible
  test.each<[string, FlowEvent[], FlowEvent]>([
    [
      'the response to a request from before a reset',
      [...ready(), encode],
      { type: 'encode-accepted', attempt: 8, operationGUID: 'x' },
    ],
    [
      'the end of another operation',
      [...ready(), encode, encodeAccepted],
      { type: 'encode-ended', operationGUID: 'x', result },
    ],
    ['an upload during encoding', [...ready(), encode, encodeAccepted], choosePart('modified', 5)],
    [
      'the notification of another operation',
      [...ready(), send, confirm('garage@rossi.test'), encodeAccepted],
      newsEvent({ guid: 'x' }),
    ],
    [
      'a notification of the operation that the page waits for',
      [...ready(), encode, encodeAccepted],
      newsEvent(),
    ],
    [
      'the notification of an encode that was not sent',
      [...ready(), encode, encodeAccepted, encodeEnded],
      newsEvent(),
    ],
    [
      'the end of a sent encode whose notification has arrived',
      [sentResumed, newsEvent()],
      encodeEnded,
    ],
    ['the end of another sent encode', [sentResumed], { ...encodeEnded, operationGUID: 'x' }],
    ['a second request', [...ready(), encode], encode],
    [
      'another file before the end',
      [...ready(), encode, encodeAccepted],
      { type: 'another-asked' },
    ],
    [
      'the CVN switch if no correction is possible',
      decoded(withoutImage),
      { type: 'cvn-switched', corrects: true },
    ],
    ['a confirmation without the popup', ready(), confirm(null)],
  ])('is not changed by %s', (_, events, event) => {
    const flow = after(...events);
    expect(recodingFlow(flow, event)).toBe(flow);
  });

  test('applies every update from the notification, and its error', () => {
    const sent = [...ready(), send, confirm('garage@rossi.test'), encodeAccepted];
    expect(after(...sent)).toMatchObject({ encode: { news: null, operationGUID: 'encode-1' } });
    expect(
      after(...sent, newsEvent({ message: 'waits' }), newsEvent({ message: 'left' })),
    ).toMatchObject({
      encode: { mailTo: 'garage@rossi.test', news: { message: 'left' } },
    });
    expect(after(...sent, failedToSend)).toMatchObject({
      encode: {
        fault: {
          kind: 'failed',
          error: { errorName: 'FILE_SAVE_ERROR', detail: null },
          operationGUID: 'encode-1',
        },
      },
    });
  });

  test('keeps the address of a sent encode until its notification arrives', () => {
    expect(after(sentResumed, encodeEnded)).toMatchObject({
      encode: { result, mailTo: 'garage@rossi.test' },
    });
    expect(after(sentResumed, encodeEnded, newsEvent())).toMatchObject({
      encode: { mailTo: 'garage@rossi.test', news: { targetURL: '/api/files/golf' } },
    });
    expect(after(encodeResumed(image), encodeEnded)).toMatchObject({ encode: { mailTo: null } });
  });

  // promise 4.encode.cvn-default
  test('leaves the CVN unchanged by default', () => {
    const flow = after(...decoded());
    expect(flow).toMatchObject({ encode: { inputs: { correctsCVN: false } } });
    expect(recodingFlow(flow, { type: 'cvn-switched', corrects: true })).toMatchObject({
      encode: { inputs: { correctsCVN: true } },
    });
  });

  test('starts again with another file after success', () => {
    const switched: FlowEvent = { type: 'cvn-switched', corrects: true };
    const flow = after(...ready(), switched, encode, encodeAccepted, encodeEnded, another);
    expect(flow).toMatchObject({
      encode: { inputs: { correctsCVN: false, parts: { modified: { at: 'ready' } } } },
    });
  });

  test('keeps the original for another file of the same read', () => {
    const both = [choosePart('modified', 2), partUploaded(2), choosePart('original', 3)];
    const flow = after(
      ...decoded(withoutImage),
      ...both,
      partUploaded(3),
      encode,
      encodeAccepted,
      encodeEnded,
      another,
    );
    expect(partStates(flow)).toEqual({ modified: 'ready', original: 'complete' });
  });
});

describe('a failed encode', () => {
  const switched: FlowEvent = { type: 'cvn-switched', corrects: true };
  const refusedWith = (thrown: unknown): FlowEvent => ({
    type: 'encode-refused',
    attempt: 9,
    fault: { kind: 'refused', thrown },
  });
  const failedWith = (errorName: string, cause: string | null = null): FlowEvent => ({
    type: 'encode-failed',
    operationGUID: 'encode-1',
    fault: {
      kind: 'failed',
      error: { errorName, detail: null, cause },
      operationGUID: 'encode-1',
    },
  });
  const repeat: FlowEvent = { type: 'encode-repeated', attempt: 10 };
  const back: FlowEvent = { type: 'encode-retried' };

  test.each<[string, FlowEvent[]]>([
    ['the connection is lost', [refusedWith(new TypeError('Failed to fetch'))]],
    ['the quota is full', [refusedWith(new Refusal('API_ERROR_THROTTLING'))]],
    ['the service is suspended', [refusedWith(new Refusal('SERVICE_UNAVAILABLE'))]],
    ['the server has an error', [refusedWith(new Refusal('GENERIC_ERROR'))]],
    ['the operation fails with an internal error', [encodeAccepted, failedWith('GENERIC_ERROR')]],
  ])('is sent again with everything kept if %s', (_, events) => {
    const flow = after(...ready(), switched, encode, ...events);
    expect(recodingFlow(flow, repeat)).toMatchObject({
      encode: {
        at: 'requesting',
        attempt: 10,
        inputs: { correctsCVN: true, parts: { modified: { at: 'complete' } } },
      },
    });
    expect(recodingFlow(flow, back)).toMatchObject({
      encode: {
        at: 'preparing',
        inputs: { correctsCVN: true, parts: { modified: { at: 'complete' } } },
      },
    });
  });

  test('is sent to the same recipient again', () => {
    const cut = refusedWith(new TypeError('Failed to fetch'));
    const flow = after(...ready(), send, confirm('garage@rossi.test'), cut, repeat);
    expect(flow).toMatchObject({
      encode: { plan: { recipient: { email: 'garage@rossi.test', message: 'Ciao' } } },
    });
  });

  test('is sent to the same recipient again after a reload', () => {
    const recipient = { email: 'garage@rossi.test', message: 'Ciao', isPrivate: true };
    const resumed = (known: Recipient | null): FlowEvent => ({
      type: 'encode-resumed',
      operationGUID: 'encode-1',
      from: {
        read: image,
        plan: {
          source: 'decoded',
          recipient: known,
          prepared: freshInputs(image),
          unused: freshInputs(image),
        },
      },
      sentTo: recipient.email,
    });
    expect(after(resumed(recipient), failedToSend, repeat)).toMatchObject({
      encode: { at: 'requesting', plan: { source: 'decoded', recipient } },
    });
    // the recipient is unknown: it is not encoded without one instead
    expect(stateOf(after(resumed(null), failedToSend, repeat))).toBe('decoded/failed');
  });

  test('of the decoded file leads back to the upload next to it', () => {
    const cut = refusedWith(new TypeError('Failed to fetch'));
    expect(partStates(after(...ready(), reencode, cut, back))).toEqual({ modified: 'complete' });
    expect(after(...ready(), reencode, cut, repeat)).toMatchObject({
      encode: { at: 'requesting', plan: { source: 'decoded' } },
    });
  });

  const withOriginal = [
    ...decoded(withoutImage),
    choosePart('modified', 2),
    partUploaded(2),
    choosePart('original', 3),
    partUploaded(3),
    encode,
    encodeAccepted,
  ];

  // promise 4.encode.error
  test.each<[string, string, string | null, PartState['at'], PartState['at']]>([
    ['removes the modified image', 'CHECKSUM_ERROR', 'CHECKSUM_UNCORRECTABLE', 'ready', 'complete'],
    [
      'removes the original',
      'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
      'ORI_MISMATCH',
      'complete',
      'ready',
    ],
    ['keeps both if the CVN failed', 'CVN_CORRECTION_ERROR', 'CVN_ERROR', 'complete', 'complete'],
    ['keeps both if the cause is unknown', 'CHECKSUM_ERROR', null, 'complete', 'complete'],
    ['keeps both if the engine crashed', '-1073741819', '-1073741819', 'complete', 'complete'],
  ])('%s by %s (%s), and cannot be repeated', (_, errorName, cause, modified, original) => {
    const flow = after(...withOriginal, failedWith(errorName, cause));
    expect(recodingFlow(flow, repeat)).toBe(flow);
    expect(partStates(recodingFlow(flow, back))).toEqual({ modified, original });
  });

  test.each([
    ['GENERIC_ERROR', null, true],
    ['FILE_SAVE_ERROR', 'ENCODE_FAILED', true],
    ['KESS3_GENERIC_ERROR_WITH_CODE', 'GENERIC_ERROR', true],
    ['KESS3_GENERIC_ERROR_WITH_CODE', 'UNEXPECTED_TRAILING_DATA', false],
    ['KESS3_GENERIC_ERROR_WITH_CODE', 'CVN_ERROR', false],
  ])('can be retried depending on its cause: %s (%s): %s', (errorName, cause, isRepeated) => {
    const flow = after(...ready(), encode, encodeAccepted, failedWith(errorName, cause));
    expect(stateOf(recodingFlow(flow, repeat))).toBe(
      isRepeated ? 'decoded/requesting' : 'decoded/failed',
    );
  });

  // promise 4.encode.error
  test('keeps every component, no matter which one failed', () => {
    const flow = after(
      ...decoded(bootBench),
      choosePart('Flash', 2),
      partUploaded(2),
      encode,
      encodeAccepted,
      failedWith('KESS3_CHECKSUM_ERROR'),
      back,
    );
    expect(partStates(flow)).toEqual({ Flash: 'complete', Micro: 'ready', EEPROM: 'removed' });
  });
});

describe('a refused component', () => {
  const refusedEeprom = [...decoded(backup), choosePart('eeprom', 2), partRefused(2)];

  test('is named until its cause is fixed', () => {
    const flow = after(...refusedEeprom);
    if (flow.at !== 'decoded') throw new Error('not decoded');
    expect(refusedParts(flow.encode.inputs).missing).toEqual(['eeprom']);
    expect(mayEncode(backup, flow.encode.inputs)).toBe(true);
  });

  test('is forgotten once the same file is in its own place', () => {
    const flow = after(...refusedEeprom, choosePart('flash', 3), partUploaded(3));
    expect(partsOf(flow)).toMatchObject({
      flash: { at: 'complete' },
      eeprom: { at: 'ready', refused: null },
    });
  });

  test('stays refused after its error is closed, until another file is chosen', () => {
    const flow = after(...refusedEeprom, { type: 'part-refusal-noted', part: 'eeprom' });
    expect(partsOf(flow)['eeprom']).toMatchObject({ refused: { file: tune, isNoted: true } });
    if (flow.at !== 'decoded') throw new Error('nothing is decoded');
    expect(refusedParts(flow.encode.inputs).missing).toEqual(['eeprom']);
    const chosen = recodingFlow(flow, choosePart('eeprom', 3));
    expect(partStates(chosen)['eeprom']).toBe('uploading');
    expect(refusedParts(flow.encode.inputs).missing).toEqual(['eeprom']);
  });

  test('stays refused when another file is uploaded for another component', () => {
    const other: FlowEvent = {
      type: 'part-chosen',
      part: 'flash',
      attempt: 3,
      file: { name: 'other.bin', size: 4096 },
      isEngineUp: true,
    };
    const flow = after(...refusedEeprom, other, partUploaded(3));
    expect(partsOf(flow)['eeprom']).toMatchObject({ refused: { file: tune } });
  });

  test('shows no error if the encode continues without it', () => {
    const flow = after(...refusedEeprom, encode, encodeAccepted, encodeEnded);
    expect(partsOf(flow)['eeprom']).toEqual({ at: 'ready', refused: null });
  });
});

// promise j1.sending.typed
test('the send popup keeps what was typed when it is closed and opened again, until the next encode', () => {
  const typed = { email: 'garage@rossi.test', message: 'Tested on the bench', isPrivate: false };
  const closed = [
    ...ready(),
    send,
    { type: 'send-changed', to: typed },
    { type: 'send-canceled' },
  ] as const;
  expect(after(...closed, send)).toMatchObject({ encode: { at: 'addressing', form: typed } });
  const next = [...closed, encode, encodeAccepted, encodeEnded, another] as const;
  expect(after(...next)).not.toHaveProperty('encode.form');
});

// promise 5.refused.kept
describe('a refused file that the server has noted', () => {
  const wrong = { name: 'stage2.bin', size: 4096 };
  const noted = {
    ...{ part: 'modified', ...wrong, errorCode: 'WRONG_SIZE', details: null, diagnosis: null },
    refusedOn: '2026-11-27T08:00:00.000Z',
  };
  const nothing = { files: [], removed: null, willCorrectCVN: false, willSkipChecksum: false };
  const follow = (flow: Flow, draft: Parameters<typeof inputsOfDraft>[1]): Flow => {
    const from = inputsIn(flow);
    const to = withUploads(inputsOfDraft(image, draft), from);
    return recodingFlow(flow, { type: 'draft-changed', from, to, version: 2, news: [] });
  };
  const refusedIn = (flow: Flow) => refusedParts(inputsIn(flow));
  const open = after(...decoded(image));

  test('is shown by a page that is reloaded, with its reason, and asked about before an encode', () => {
    const flow = follow(open, { ...nothing, refused: [noted] });
    expect(partsOf(flow)['modified']).toMatchObject({
      at: 'ready',
      refused: { file: wrong, fault: { thrown: { code: 'WRONG_SIZE' } } },
    });
    expect(refusedIn(flow).missing).toEqual(['modified']);
  });

  test('is shown beside the earlier file, which stays', () => {
    const files = [{ part: 'modified', ...tune, fileGUID: 'theirs', changes: null }];
    const flow = follow(open, { ...nothing, files, refused: [noted] });
    expect(refusedIn(flow).earlier).toEqual(['modified']);
  });

  test('goes when a colleague has dismissed it, and stays if the server never had it', () => {
    const flow = follow(open, { ...nothing, refused: [noted] });
    expect(refusedIn(follow(flow, nothing)).missing).toEqual([]);
    const own = after(...decoded(image), choosePart('modified', 2), {
      type: 'part-refused',
      attempt: 2,
      fault: { kind: 'refused', thrown: new Refusal('FILE_LOAD_ERROR') },
      isLocal: true,
    });
    expect(refusedIn(follow(own, nothing)).missing).toEqual(['modified']);
  });

  test('is shown in place of another refusal of the page, unless it is the same', () => {
    const chosen = after(...decoded(image), {
      ...{ type: 'part-chosen', part: 'modified', attempt: 2, file: wrong, isEngineUp: true },
    });
    const fault = { kind: 'refused', thrown: new Refusal('WRONG_SIZE') } as const;
    const refused = recodingFlow(chosen, { type: 'part-refused', attempt: 2, fault });
    const own = recodingFlow(refused, { type: 'part-refusal-noted', part: 'modified' });
    const shown = (draft: Partial<typeof noted>) =>
      partsOf(follow(own, { ...nothing, refused: [{ ...noted, ...draft }] }))['modified'];
    expect(shown({})).toMatchObject({ refused: { file: wrong, isNoted: true } });
    const theirs = { file: { ...wrong, name: 'stage3.bin' }, isNoted: false };
    expect(shown({ name: 'stage3.bin' })).toMatchObject({ refused: theirs });
    const other = { file: wrong, isNoted: false, fault: { thrown: { code: 'INVALID_FILE' } } };
    expect(shown({ errorCode: 'INVALID_FILE' })).toMatchObject({ refused: other });
  });

  test('stays while the user chooses another file and cancels', () => {
    const flow = follow(open, { ...nothing, refused: [noted] });
    const chosen = recodingFlow(flow, choosePart('modified', 3));
    const canceled = recodingFlow(chosen, { type: 'part-canceled', part: 'modified' });
    expect(refusedIn(canceled).missing).toEqual(['modified']);
    expect(refusedIn(recodingFlow(chosen, partUploaded(3))).missing).toEqual([]);
  });
});

describe('what was typed in the send popup', () => {
  const typed = { email: 'garage@rossi.test', message: 'Tested on the bench', isPrivate: false };
  const typing: FlowEvent = { type: 'send-changed', to: typed };
  const closing: FlowEvent = { type: 'send-canceled' };
  const news = [{ kind: 'replaced', part: 'modified', by: 'Carla', on: null }] as const;
  const theirs = [{ part: 'modified', ...tune, fileGUID: 'theirs', changes: null }];
  const draft = { files: theirs, removed: null, willCorrectCVN: false, willSkipChecksum: false };

  /** A colleague changes the draft. */
  const change = (flow: Flow, to = inputsOfDraft(image, draft)): FlowEvent => ({
    type: 'draft-changed',
    from: inputsIn(flow),
    to,
    version: 2,
    news,
  });

  // promise j1.sending.typed
  test('stays when a colleague changes the files that it was about, which closes the popup', () => {
    const open = after(...ready(), send, typing);
    const changed = recodingFlow(open, change(open));
    expect(changed).toMatchObject({ encode: { at: 'preparing', news, form: typed } });
    const dismissed = recodingFlow(changed, { type: 'news-dismissed' });
    expect(dismissed).not.toHaveProperty('encode.news');
    expect(recodingFlow(dismissed, send)).toMatchObject({ encode: { form: typed } });
  });

  test.each<[string, FlowEvent[]]>([
    ['a file is added', [choosePart('modified', 3), partUploaded(3)]],
    ['a file is removed', [{ type: 'part-restored', part: 'modified' }]],
  ])('stays when %s', (_, events) => {
    const flow = after(...ready(), send, typing, closing, ...events);
    expect(flow).toMatchObject({ encode: { at: 'preparing', form: typed } });
  });

  test('stays open when a colleague changes files that are not encoded; the news is shown after it', () => {
    const open = after(...ready(), { type: 'send-asked', source: 'decoded' }, typing);
    const changed = recodingFlow(open, change(open));
    expect(changed).toMatchObject({ encode: { at: 'addressing', form: typed, news } });
    expect(partsOf(changed)['modified']).toMatchObject({ fileGUID: 'theirs' });
    expect(recodingFlow(changed, closing)).toMatchObject({ encode: { form: typed, news } });
  });

  test('stays when a colleague changes how the decoded file is encoded, which closes the popup', () => {
    const open = after(...ready(), { type: 'send-asked', source: 'decoded' }, typing);
    const changed = recodingFlow(
      open,
      change(open, inputsOfDraft(image, { ...draft, willCorrectCVN: true })),
    );
    expect(changed).toMatchObject({ encode: { at: 'preparing', form: typed } });
  });
});

test('what a colleague has changed is still shown after the send popup is canceled', () => {
  const news = [{ kind: 'cvn', part: null, by: 'Carla', on: null }] as const;
  const flow = after(...ready());
  const to = { ...freshInputs(image), correctsCVN: true };
  const changed: FlowEvent = { type: 'draft-changed', from: inputsIn(flow), to, version: 2, news };
  const canceled = [changed, send, { type: 'send-canceled' } as const].reduce(recodingFlow, flow);
  expect(canceled).toMatchObject({ encode: { at: 'preparing', news } });
});

test('an encode that would leave nothing to write cannot start', () => {
  const flow = after(...decoded(bootBench), remove('Flash'), remove('Micro'));
  expect(recodingFlow(flow, encode)).toBe(flow);
  expect(stateOf(recodingFlow(recodingFlow(flow, remove('Micro', false)), encode))).toBe(
    'decoded/requesting',
  );
});

describe('the decoded file, encoded again next to an upload', () => {
  const addressed: FlowEvent[] = [{ type: 'send-asked', source: 'decoded' }, confirm('a@b.test')];
  test.each<[string, FlowEvent[]]>([
    ['while it is requested', [reencode]],
    ['once it is encoded', [reencode, encodeAccepted, encodeEnded]],
    ['once it is sent', [...addressed, encodeAccepted, newsEvent()]],
  ])('does not show the upload as its input, %s', (_, events) => {
    const beside = [...decoded(), choosePart('modified', 2), partUploaded(2)];
    expect(partStates(after(...beside, ...events))).toEqual({ modified: 'ready' });
    expect(partStates(after(...beside, encode))).toEqual({ modified: 'complete' });
  });
});

describe('a file that another one replaces', () => {
  const before = after(...decoded(image), choosePart('modified', 2), partUploaded(2));
  const old = partsOf(before)['modified'];
  const { at: _, ...version } = old?.at === 'complete' ? old : { at: null };
  const choosing = recodingFlow(before, choosePart('modified', 3));
  const other = { name: 'stage2.bin', size: 4096 };

  test.each<[string, FlowEvent]>([
    ['is canceled', { type: 'part-canceled', part: 'modified' }],
    ['is refused, and the error is cleared', partRefused(3)],
  ])('is there again if the upload %s', (_title, event) => {
    expect(partStates(choosing)).toEqual({ modified: 'uploading' });
    const end = recodingFlow(choosing, event);
    const cleared = recodingFlow(end, { type: 'part-refusal-cleared', part: 'modified' });
    expect(partsOf(cleared)['modified']).toEqual(old);
  });

  test('can be encoded although another one was refused', () => {
    const refused = recodingFlow(choosing, partRefused(3));
    expect(partsOf(refused)['modified']).toMatchObject({ ...version, refused: { fault } });
    const asked = recodingFlow(refused, encode);
    expect(asked).toMatchObject({
      encode: { at: 'requesting', inputs: { parts: { modified: old } } },
    });
  });

  test('comes back with Undo, and the other one with Undo again', () => {
    const uploaded = { fileGUID: 'file-3', changes: null };
    const replaced = recodingFlow(choosing, { type: 'part-uploaded', attempt: 3, uploaded });
    expect(partsOf(replaced)['modified']).toMatchObject({ fileGUID: 'file-3', previous: version });
    const undo: FlowEvent = { type: 'part-undone', part: 'modified' };
    const back = recodingFlow(replaced, undo);
    expect(partsOf(back)['modified']).toMatchObject({
      ...version,
      previous: { fileGUID: 'file-3' },
    });
    expect(partsOf(recodingFlow(back, undo))['modified']).toMatchObject({ fileGUID: 'file-3' });
  });

  test('comes back after it was removed', () => {
    const removed = recodingFlow(before, { type: 'part-restored', part: 'modified' });
    expect(partStates(removed)).toEqual({ modified: 'ready' });
    const back = recodingFlow(removed, { type: 'part-undone', part: 'modified' });
    expect(partsOf(back)['modified']).toEqual(old);
  });

  test('stays if its component is removed during the upload, and comes back with it', () => {
    const replacing = [choosePart('Flash', 2), partUploaded(2), choosePart('Flash', 3)];
    const removed = after(...decoded(bootBench), ...replacing, remove('Flash'));
    expect(storedOf(removed).files['Flash']).toBe('file-1');
    const back = recodingFlow(removed, remove('Flash', false));
    expect(partsOf(back)['Flash']).toEqual({ at: 'complete', file: tune, ...uploaded });
  });

  test('comes back with Undo also after its component was removed for a while', () => {
    const restored: FlowEvent = { type: 'part-restored', part: 'Flash' };
    const taken = [choosePart('Flash', 2), partUploaded(2), restored];
    const removed = [remove('Flash'), remove('Flash', false)];
    const flow = after(...decoded(bootBench), ...taken, ...removed);
    const undo: FlowEvent = { type: 'part-undone', part: 'Flash' };
    expect(partsOf(recodingFlow(flow, undo))['Flash']).toMatchObject(uploaded);
  });

  test('comes back with Undo also if someone else changed the draft while its component was removed', () => {
    const replaced = [choosePart('Flash', 2), partUploaded(2), choosePart('Flash', 3)];
    const second: FlowEvent = {
      type: 'part-uploaded',
      attempt: 3,
      uploaded: { fileGUID: 'file-3', changes: null },
    };
    const flow = after(...decoded(bootBench), ...replaced, second, remove('Flash'));
    const { removed } = storedOf(flow);
    const files = [{ part: 'Flash', fileGUID: 'file-3', ...tune, changes: null }];
    const draft = { files, removed, willCorrectCVN: true, willSkipChecksum: false };
    const shown = withUploads(inputsOfDraft(bootBench, draft), inputsIn(flow));
    expect(shown.parts['Flash']).toEqual(partsOf(flow)['Flash']);
  });

  test('was uploaded by someone else in the meantime: that is reported, and Undo restores it', () => {
    const theirs = {
      fileGUID: 'theirs',
      ...other,
      changes: null,
      uploadedOn: '2026-11-26T14:02:00.000Z',
    };
    const replaced = { ...theirs, userDisplayName: 'Carla' };
    const uploaded = { fileGUID: 'file-3', changes: null, replaced };
    const flow = recodingFlow(choosing, { type: 'part-uploaded', attempt: 3, uploaded });
    expect(flow).toMatchObject({
      encode: {
        news: [{ kind: 'overtaken', part: 'modified', by: 'Carla', on: theirs.uploadedOn }],
        inputs: { parts: { modified: { fileGUID: 'file-3', previous: { fileGUID: 'theirs' } } } },
      },
    });
  });
});

describe('a draft that another tab changed', () => {
  const flow = after(choose, accepted, ended());
  const from = freshInputs(image);
  const to = { ...from, correctsCVN: true };
  const version = { version: 2, news: [] };

  test('replaces the inputs', () => {
    if (flow.at !== 'decoded') throw new Error('nothing is decoded');
    const changed: FlowEvent = { type: 'draft-changed', from: flow.encode.inputs, to, ...version };
    expect(inputsIn(recodingFlow(flow, changed))).toEqual(to);
  });

  test('does not replace what the user has changed in the meantime', () => {
    const mine = recodingFlow(flow, { type: 'checksum-switched', skips: true });
    expect(recodingFlow(mine, { type: 'draft-changed', from, to, ...version })).toBe(mine);
  });

  test('replaces inputs that are the same draft, but not while they are encoded', () => {
    const changed: FlowEvent = { type: 'draft-changed', from: { ...from }, to, ...version };
    expect(inputsIn(recodingFlow(flow, changed))).toEqual(to);
    const same: FlowEvent = { type: 'draft-changed', from, to: { ...from }, ...version };
    expect(recodingFlow(flow, same)).toBe(flow);
    const asked = after(...ready(), encode);
    expect(recodingFlow(asked, changed)).toBe(asked);
  });
});
