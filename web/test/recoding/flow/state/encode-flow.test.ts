/** The transitions of the encode step, from the files of a read to a sent result, and events that must change nothing. */
import { describe, expect, test } from 'vitest';
import type { DecodedRead } from '../../../../src/features/recoding/decoded-read.ts';
import { mayEncode } from '../../../../src/features/recoding/flow/state/encode-flow.ts';
import type { FlowEvent } from '../../../../src/features/recoding/flow/state/flow-events.ts';
import { recodingFlow } from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { backup, bootBench, image, withoutImage } from '../../reads.ts';
import {
  fault,
  lost,
  result,
  after,
  choosePart,
  partUploaded,
  encode,
  reencode,
  encodeAccepted,
  encodeEnded,
  another,
  encodeFailed,
  send,
  confirm,
  newsEvent,
  failedToSend,
  remove,
  encodeResumed,
  sentResumed,
  decoded,
  ready,
  stateOf,
  partStates,
} from './flow-steps.ts';

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
