/** Files that have not been encoded yet: the page asks before it discards them, and every way back leads to them. */
import { Refusal } from '@recodery/contract/refusal';
import { describe, expect, test } from 'vitest';
import {
  planIn,
  writeContext,
} from '../../../../src/features/recoding/flow/drafts/context-data.ts';
import type { DecodedRead } from '../../../../src/features/recoding/decoded-read.ts';
import type {
  EncodePlan,
  FlowEvent,
} from '../../../../src/features/recoding/flow/state/flow-events.ts';
import {
  completePart,
  freshInputs,
  type Inputs,
  type PartState,
  hasRefusedFile,
  noneRefused,
  refusedParts,
  type SettledPart,
} from '../../../../src/features/recoding/inputs.ts';
import {
  type Flow,
  idle,
  wouldLoseFiles,
  isUploading,
  recodingFlow,
} from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { backup, bootBench, image, part } from '../../reads.ts';

const after = (flow: Flow, ...events: FlowEvent[]): Flow => events.reduce(recodingFlow, flow);

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
const opened = (read: DecodedRead): Flow =>
  after(idle, { type: 'read-resumed', read, inputs: freshInputs(read), version: 0 });
const choose = (to: string, attempt: number, name = 'stage1.bin'): FlowEvent => ({
  type: 'part-chosen',
  part: to,
  attempt,
  file: { name, size: 16 },
  isEngineUp: true,
});
const uploaded = (attempt: number, fileGUID = 'file-1'): FlowEvent => ({
  type: 'part-uploaded',
  attempt,
  uploaded: { fileGUID, changes: null },
});
const prepared = (): Flow => after(opened(image), choose('modified', 1), uploaded(1));
const encode: FlowEvent = { type: 'encode-asked', source: 'parts', attempt: 8 };
const reencode: FlowEvent = { type: 'encode-asked', source: 'decoded', attempt: 9 };
const accepted = (attempt: number): FlowEvent => ({
  type: 'encode-accepted',
  attempt,
  operationGUID: 'encode-1',
});
const ended: FlowEvent = { type: 'encode-ended', operationGUID: 'encode-1', result };
const offline: FlowEvent = {
  type: 'encode-refused',
  attempt: 9,
  fault: { kind: 'refused', thrown: new TypeError('Failed to fetch') },
};
const another: FlowEvent = { type: 'another-asked' };
const back: FlowEvent = { type: 'encode-retried' };

function inputsOf(flow: Flow): Inputs {
  if (flow.at !== 'decoded') throw new Error(`no inputs while ${flow.at}`);
  return flow.encode.inputs;
}
const fileIn = (flow: Flow, name = 'modified'): PartState | undefined => inputsOf(flow).parts[name];

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

/** An encode of v1 that is opened later; the draft of its slot then has these files. */
function openedLater(
  read: DecodedRead,
  used: Inputs<SettledPart>,
  files: readonly string[],
  encoded: readonly string[] = [],
) {
  const plan = { source: 'parts', recipient: null } as const;
  const first = read.parts[0]?.name ?? '';
  const draft = {
    files: files.map((fileGUID) => ({
      part: first,
      fileGUID,
      name: `${fileGUID}.bin`,
      size: 16,
      changes: null,
    })),
    removed: null,
    willCorrectCVN: false,
    willSkipChecksum: false,
  };
  const from = { read, plan: planIn(writeContext(read, used, plan), read, draft, encoded) };
  const shown: FlowEvent = {
    type: 'encode-resumed',
    operationGUID: 'encode-1',
    from,
    sentTo: null,
  };
  return shown;
}

function used(read: DecodedRead, name: string): Inputs<SettledPart> {
  const fresh = freshInputs(read);
  const file = { part: name, fileGUID: 'v1', name: 'v1.bin', size: 16, changes: null };
  return { ...fresh, parts: { ...fresh.parts, [name]: completePart(file) } };
}

describe('an encode that is opened after a newer file was uploaded', () => {
  const v1 = used(image, 'modified');
  const failed: FlowEvent = {
    type: 'encode-failed',
    operationGUID: 'encode-1',
    fault: {
      kind: 'failed',
      error: { errorName: 'CHECKSUM_ERROR', detail: null, cause: 'CHECKSUM_UNCORRECTABLE' },
      operationGUID: 'encode-1',
    },
  };

  test('shows what it encoded, and the next encode starts with the newer file', () => {
    const shown = after(idle, openedLater(image, v1, ['v2']), ended);
    expect(fileIn(shown)).toMatchObject({ fileGUID: 'v1' });
    expect(fileIn(after(shown, another))).toMatchObject({ fileGUID: 'v2' });
  });

  test('leads back to the newer file if it failed', () => {
    const shown = after(idle, openedLater(image, v1, ['v2']), failed, back);
    expect(fileIn(shown)).toMatchObject({ fileGUID: 'v2' });
  });

  test('starts with an empty row if there is no newer file, or if it was encoded too', () => {
    for (const files of [['v1'], [], ['v2']]) {
      const shown = after(idle, openedLater(image, v1, files, ['v1', 'v2']), ended);
      expect(wouldLoseFiles(shown)).toBe(false);
      expect(fileIn(after(shown, another))).toEqual({ at: 'ready', refused: null });
    }
  });

  test('does not count a kept file of a removed component as newer', () => {
    const flash = used(bootBench, 'Flash').parts['Flash'];
    const kept = flash?.at === 'complete' ? flash : null;
    const fresh = freshInputs(bootBench);
    const removed = {
      ...fresh,
      parts: { ...fresh.parts, Flash: { at: 'removed', kept } as const },
    };
    const shown = after(idle, openedLater(bootBench, removed, ['v1']), ended);
    expect(wouldLoseFiles(shown)).toBe(false);
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

describe('an earlier encode of the read that the page shows', () => {
  const shown = openedLater(image, used(image, 'modified'), []);
  const read: FlowEvent = {
    type: 'read-resumed',
    read: image,
    inputs: freshInputs(image),
    version: 0,
  };

  test.each<[string, FlowEvent]>([
    ['it', shown],
    ['the read', read],
  ])('waits while an encode is requested, so that its result is not lost: %s', (_, event) => {
    const requesting = after(prepared(), encode);
    expect(after(requesting, event)).toBe(requesting);
    expect(after(requesting, event, accepted(8))).toMatchObject({
      encode: { at: 'encoding', operationGUID: 'encode-1', isResumed: false },
    });
  });

  test('leaves what is being prepared for the next encode', () => {
    const flow = after(prepared(), shown, ended);
    expect(flow).toMatchObject({ encode: { at: 'encoded', operationGUID: 'encode-1' } });
    expect(fileIn(flow)).toMatchObject({ fileGUID: 'v1' });
    expect(wouldLoseFiles(flow)).toBe(true);
    expect(fileIn(after(flow, another))).toMatchObject({ fileGUID: 'file-1' });
  });

  test('leaves an upload that is in progress, which then is in the next encode', () => {
    const flow = after(opened(image), choose('modified', 1), shown, ended);
    expect(isUploading(flow)).toBe(true);
    expect(fileIn(after(flow, another))).toMatchObject({ at: 'uploading', attempt: 1 });
    const done = after(flow, { type: 'part-progressed', attempt: 1, fraction: 1 }, uploaded(1));
    expect(isUploading(done)).toBe(false);
    expect(fileIn(done)).toMatchObject({ fileGUID: 'v1' });
    expect(fileIn(after(done, another))).toMatchObject({ at: 'complete', fileGUID: 'file-1' });
  });

  test('accepts another file if the upload is canceled because the file belongs to another part', () => {
    const canceled: FlowEvent = { type: 'part-canceled', part: 'modified' };
    const flow = after(opened(image), choose('modified', 1), shown, ended, canceled);
    expect(isUploading(flow)).toBe(false);
    expect(fileIn(after(flow, another))).toMatchObject({ at: 'ready' });
  });

  test('leaves an upload that is in progress when a tray changes the draft', () => {
    const flow = after(opened(image), choose('modified', 1), shown, ended);
    const from = { ...freshInputs(image), parts: inputsOf(after(flow, another)).parts };
    const changed: FlowEvent = {
      type: 'draft-changed',
      version: 2,
      news: [],
      from,
      to: { ...from, skipsChecksum: true },
    };
    expect(isUploading(after(flow, changed))).toBe(true);
    expect(fileIn(after(flow, changed, uploaded(1), another))).toMatchObject({
      fileGUID: 'file-1',
    });
  });

  test('leads back to its own files if it failed and nothing is being prepared', () => {
    const failed: FlowEvent = {
      type: 'encode-failed',
      operationGUID: 'encode-1',
      fault: {
        kind: 'failed',
        error: { errorName: 'GENERIC_ERROR', detail: null },
        operationGUID: 'encode-1',
      },
    };
    expect(fileIn(after(opened(image), shown, failed, back))).toMatchObject({ fileGUID: 'v1' });
    expect(fileIn(after(prepared(), shown, failed, back))).toMatchObject({ fileGUID: 'file-1' });
  });

  test('leads back to them if the read itself is opened', () => {
    expect(fileIn(after(prepared(), shown, ended, read))).toMatchObject({ fileGUID: 'file-1' });
  });

  test('starts with what a tray has added to the draft in the meantime', () => {
    const v1 = used(image, 'modified');
    const flow = after(
      opened(image),
      choose('modified', 1),
      uploaded(1, 'v1'),
      encode,
      accepted(8),
    );
    const v2 = completePart({
      part: 'modified',
      fileGUID: 'v2',
      name: 'v2',
      size: 1,
      changes: null,
    });
    const to = { ...v1, parts: { modified: v2 } };
    const changed: FlowEvent = {
      type: 'draft-changed',
      version: 2,
      news: [],
      from: inputsOf(flow),
      to,
    };
    expect(fileIn(after(flow, ended, changed))).toMatchObject({ fileGUID: 'v1' });
    expect(fileIn(after(flow, ended, changed, another))).toMatchObject({ fileGUID: 'v2' });
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
