/** Which work of a recoding page stays alive in its tab. */
import { beforeAll, expect, test } from 'vitest';
import { page } from '../../src/features/recoding/families/kessv2.ts';
import { forgetLivePages, openLivePage } from '../../src/features/recoding/flow/live-pages.ts';
import { beBrowser } from '../api/browser.ts';
import { kessv2Result, succeeded } from './results.ts';

beforeAll(() => {
  beBrowser('http://127.0.0.1');
  Object.defineProperty(globalThis, 'window', { value: globalThis, configurable: true });
});

const operation = succeeded(kessv2Result);
const read = page.readOf(operation);
const draft = { files: [], removed: null, willCorrectCVN: false, willSkipChecksum: false };
const resumed = { operation, slot: { read, draft } };
const file = { part: 'modified', fileGUID: 'file-1', name: 'v1.bin', size: 1, changes: null };
const replaced = { operation, slot: { read, draft: { ...draft, files: [file] } } };

test('a page is opened with its work, unless the draft of its slot was replaced', async () => {
  const key = { page, customerCode: 'C-1', device: 'M-1' };
  const first = openLivePage(key, resumed, operation.guid);
  expect(openLivePage(key, replaced, operation.guid)).toBe(first);
  forgetLivePages('another slot');
  expect(openLivePage(key, replaced, operation.guid)).toBe(first);

  const upload = first.uploads.run(
    1,
    (signal) => new Promise((done) => signal.addEventListener('abort', () => done('ended'))),
  );
  forgetLivePages(read.slotGUID);
  expect(await upload).toBe('ended');
  const flow = openLivePage(key, replaced, operation.guid).store.now();
  expect(flow.at === 'decoded' && flow.encode.inputs.parts['modified']).toMatchObject({
    at: 'complete',
    fileGUID: 'file-1',
  });
});
