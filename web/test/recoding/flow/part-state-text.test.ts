/** The label for the state of each part, and its place in the summary of what will be encoded. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Part } from '../../../src/features/recoding/decoded-read.ts';
import type { PartState } from '../../../src/features/recoding/inputs.ts';
import {
  describePartState,
  partSummary,
} from '../../../src/features/recoding/flow/part-state-text.ts';
import { startTexts } from '../../../src/i18n/texts.ts';
import { beBrowser } from '../../api/browser.ts';
import { part } from '../reads.ts';
import { t } from '../../texts/t.ts';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  await startTexts('en-US');
});

const uploaded = (bytes: number | null): PartState => ({
  at: 'complete',
  file: { name: 'stage1.bin', size: 4096 },
  fileGUID: 'file-1',
  changes: bytes === null ? null : { bytes, regions: 1, size: 4096, fraction: 0.1, spans: [] },
});
const modified = part('modified', { isNeeded: true });
const original = part('original', { isNeeded: true });
const flash = part('Flash');

describe('an uploaded part', () => {
  test.each<[string, Part, number | null, string]>([
    ['that differs', modified, 12, 'Modified'],
    ['that is identical to the decoded file', modified, 0, 'Unchanged'],
    ['without anything to compare it with', modified, null, 'Modified'],
    ['that is a component identical to the decoded one', flash, 0, 'Unchanged'],
    ['that is the original', original, null, 'Uploaded'],
  ])('%s has this label', (_, of, bytes, word) => {
    expect(t(describePartState(of, uploaded(bytes), false).word)).toBe(word);
  });
});

describe('the summary', () => {
  test('contains the file name of an image, and the state of a component', () => {
    const ready: PartState = { at: 'ready', refused: null };
    const lines = [
      partSummary(t, modified, uploaded(12), false),
      partSummary(t, original, ready, false),
      partSummary(t, flash, uploaded(12), false),
    ];
    expect(lines).toEqual([
      'Modified file: stage1.bin',
      'Original file: Needed',
      'Flash: Modified',
    ]);
  });
});
