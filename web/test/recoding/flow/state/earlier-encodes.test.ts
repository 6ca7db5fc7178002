/** An encode that is opened while newer files are prepared: it is shown, and the newer files stay. */
import { describe, expect, test } from 'vitest';
import {
  planIn,
  writeContext,
} from '../../../../src/features/recoding/flow/drafts/context-data.ts';
import type { DecodedRead } from '../../../../src/features/recoding/decoded-read.ts';
import type { FlowEvent } from '../../../../src/features/recoding/flow/state/flow-events.ts';
import {
  completePart,
  freshInputs,
  type Inputs,
  type SettledPart,
} from '../../../../src/features/recoding/inputs.ts';
import {
  idle,
  wouldLoseFiles,
  isUploading,
} from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { bootBench, image } from '../../reads.ts';
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
