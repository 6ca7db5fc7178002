/** The transitions of the read and of its parts (product specification, section 4) as a line each, and events that must change nothing. */
import { describe, expect, test } from 'vitest';
import type { DecodedRead } from '../../../../src/features/recoding/decoded-read.ts';
import type { FlowEvent } from '../../../../src/features/recoding/flow/state/flow-events.ts';
import { freshInputs, type PartState } from '../../../../src/features/recoding/inputs.ts';
import { recodingFlow } from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { backup, bootBench, image, withoutImage } from '../../reads.ts';
import {
  file,
  tune,
  fault,
  lost,
  after,
  choose,
  accepted,
  ended,
  choosePart,
  partUploaded,
  partRefused,
  remove,
  decoded,
  stateOf,
  partsOf,
  partStates,
} from './flow-steps.ts';

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
