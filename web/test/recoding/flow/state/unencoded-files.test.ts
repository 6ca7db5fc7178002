/** Files that have not been encoded yet: the page asks before it discards them, and every way back leads to them. */
import { Refusal } from '@recodery/contract/refusal';
import { describe, expect, test } from 'vitest';
import type { DecodedRead } from '../../../../src/features/recoding/decoded-read.ts';
import type {
  EncodePlan,
  FlowEvent,
} from '../../../../src/features/recoding/flow/state/flow-events.ts';
import {
  completePart,
  hasRefusedFile,
  noneRefused,
  refusedParts,
} from '../../../../src/features/recoding/inputs.ts';
import {
  idle,
  wouldLoseFiles,
} from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { backup, image, part } from '../../reads.ts';
import {
  after,
  opened,
  choose,
  uploaded,
  prepared,
  encode,
  accepted,
  ended,
  another,
  back,
  inputsOf,
  fileIn,
  used,
} from './encode-steps.ts';

const reencode: FlowEvent = { type: 'encode-asked', source: 'decoded', attempt: 9 };

const offline: FlowEvent = {
  type: 'encode-refused',
  attempt: 9,
  fault: { kind: 'refused', thrown: new TypeError('Failed to fetch') },
};

describe('an upload next to a decoded file that is encoded again', () => {
  const mail = { email: 'garage@rossi.test', message: null, isPrivate: true };
  const sent: FlowEvent[] = [
    { type: 'send-asked', source: 'decoded' },
    { type: 'send-confirmed', recipient: mail, attempt: 9 },
    accepted(9),
  ];
  test.each<[string, FlowEvent[]]>([
    ['is requested', [reencode]],
    ['cannot be requested', [reencode, offline]],
    ['is encoded', [reencode, accepted(9)]],
    ['was encoded', [reencode, accepted(9), ended]],
    ['was sent', sent],
  ])('is not discarded without a question while the decoded file %s', (_, events) => {
    expect(wouldLoseFiles(after(prepared(), ...events))).toBe(true);
    expect(wouldLoseFiles(after(opened(image), ...events))).toBe(false);
  });

  test.each<[string, FlowEvent[]]>([
    ['encoded', [reencode, accepted(9), ended]],
    ['sent', sent],
  ])('is there for the next encode after the decoded file was %s', (_, events) => {
    const next = after(prepared(), ...events, another);
    expect(next).toMatchObject({ encode: { at: 'preparing' } });
    expect(fileIn(next)).toMatchObject({ at: 'complete', fileGUID: 'file-1' });
  });

  test('stays when the decoded file could not be encoded, regardless of the cause', () => {
    const failed: FlowEvent = {
      type: 'encode-failed',
      operationGUID: 'encode-1',
      fault: {
        kind: 'failed',
        error: { errorName: 'CHECKSUM_ERROR', detail: null, cause: 'CHECKSUM_UNCORRECTABLE' },
        operationGUID: 'encode-1',
      },
    };
    const again = after(prepared(), reencode, accepted(9), failed, back);
    expect(fileIn(again)).toMatchObject({ at: 'complete', fileGUID: 'file-1' });
  });

  test('does not ask once the upload itself has been encoded', () => {
    expect(wouldLoseFiles(after(prepared(), encode, accepted(8), ended))).toBe(false);
  });
});

describe('an encode that fails because of an image, next to a file that was added in the meantime', () => {
  const read: DecodedRead = {
    ...image,
    parts: [part('modified', { isNeeded: true }), part('original')],
  };
  const failedWith = (cause: string): FlowEvent => ({
    type: 'encode-failed',
    operationGUID: 'encode-1',
    fault: {
      kind: 'failed',
      error: { errorName: 'CHECKSUM_ERROR', detail: null, cause },
      operationGUID: 'encode-1',
    },
  });
  const requested = after(
    opened(read),
    choose('modified', 1),
    uploaded(1, 'v1'),
    encode,
    accepted(8),
  );
  const completed = (name: string, fileGUID: string) =>
    completePart({ part: name, fileGUID, name: fileGUID, size: 1, changes: null });
  const changedTo = (modified: string): FlowEvent => ({
    type: 'draft-changed',
    version: 2,
    news: [],
    from: inputsOf(requested),
    to: {
      ...inputsOf(requested),
      parts: {
        modified: completed('modified', modified),
        original: completed('original', 'ori'),
      },
    },
  });

  test('leads back to the added file without that image', () => {
    const flow = after(requested, changedTo('v1'), failedWith('CHECKSUM_UNCORRECTABLE'), back);
    expect(fileIn(flow)).toEqual({ at: 'ready', refused: null });
    expect(fileIn(flow, 'original')).toMatchObject({ fileGUID: 'ori' });
  });

  test('keeps another image that has replaced it', () => {
    const flow = after(requested, changedTo('v2'), failedWith('CHECKSUM_UNCORRECTABLE'), back);
    expect(fileIn(flow)).toMatchObject({ fileGUID: 'v2' });
    expect(fileIn(flow, 'original')).toMatchObject({ fileGUID: 'ori' });
  });
});

describe('the error of a refused file', () => {
  const fault = { kind: 'refused', thrown: new Refusal('FILE_CORRUPTED') } as const;
  const refused = after(
    opened(backup),
    choose('flash', 1),
    uploaded(1),
    choose('eeprom', 2, 'other.bin'),
    { type: 'part-refused', attempt: 2, fault },
  );
  const send: FlowEvent = { type: 'send-asked', source: 'parts' };

  test('is still there after the send popup is canceled', () => {
    const canceled = after(refused, send, { type: 'send-canceled' });
    expect(refusedParts(inputsOf(canceled)).missing).toEqual(['eeprom']);
  });

  test('is still there when the user returns to the files after a failed encode', () => {
    const failed = after(refused, { ...encode, attempt: 9 }, offline);
    expect(refusedParts(inputsOf(failed))).toEqual(noneRefused);
    expect(refusedParts(inputsOf(after(failed, back))).missing).toEqual(['eeprom']);
  });

  test('does not call a file missing while the one before it is there', () => {
    const replaced = after(
      opened(backup),
      choose('flash', 1),
      uploaded(1),
      choose('flash', 2, 'other.bin'),
      { type: 'part-refused', attempt: 2, fault },
    );
    expect(refusedParts(inputsOf(replaced))).toEqual({ ...noneRefused, earlier: ['flash'] });
    expect(hasRefusedFile(inputsOf(replaced))).toBe(false);
  });

  test('is distinguished from an upload that was only interrupted', () => {
    const interrupted = { kind: 'refused', thrown: new Refusal('UPLOAD_INTERRUPTED') } as const;
    const chosen = after(opened(backup), choose('eeprom', 1, 'other.bin'));
    const broken = after(chosen, { type: 'part-refused', attempt: 1, fault: interrupted });
    expect(refusedParts(inputsOf(broken)).missing).toEqual(['eeprom']);
    expect(hasRefusedFile(inputsOf(broken))).toBe(false);
    expect(hasRefusedFile(inputsOf(refused))).toBe(true);
  });
});

test('a sent encode whose request is unknown leads back to the uploads next to it', () => {
  const plan: EncodePlan = {
    source: 'decoded',
    recipient: null,
    prepared: used(image, 'modified'),
    unused: used(image, 'modified'),
  };
  const flow = after(idle, {
    type: 'encode-resumed',
    operationGUID: 'encode-1',
    from: { read: image, plan },
    sentTo: 'garage@rossi.test',
  });
  expect(wouldLoseFiles(flow)).toBe(true);
  expect(fileIn(after(flow, another))).toMatchObject({ fileGUID: 'v1' });
});
