/** What the page keeps and offers after an encode that failed. */
import { Refusal } from '@recodery/contract/refusal';
import { describe, expect, test } from 'vitest';
import type { Recipient } from '../../../../src/features/recoding/families/family-page.ts';
import type { FlowEvent } from '../../../../src/features/recoding/flow/state/flow-events.ts';
import { freshInputs, type PartState } from '../../../../src/features/recoding/inputs.ts';
import { recodingFlow } from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { bootBench, image, withoutImage } from '../../reads.ts';
import {
  after,
  choosePart,
  partUploaded,
  encode,
  reencode,
  encodeAccepted,
  send,
  confirm,
  failedToSend,
  decoded,
  ready,
  stateOf,
  partStates,
} from './flow-steps.ts';

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
