/** Which work of a recoding page stays alive in its tab. */
import {
  type EncodeDraft,
  getEncodeDraft,
  putEncodeDraft,
} from '@recodery/contract/features/slots';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { page } from '../../src/features/recoding/families/kessv2.ts';
import {
  draftSaved,
  forgetLivePages,
  openLivePage,
  showSavedDraft,
} from '../../src/features/recoding/flow/live-pages.ts';
import { keepUnsaved } from '../../src/features/recoding/flow/save-draft.ts';
import { beBrowser } from '../api/browser.ts';
import { kessv2Result, succeeded } from './results.ts';

/** The draft that the server has, and what happens while it is requested. */
let stored: EncodeDraft;
let meanwhile: () => void = () => undefined;
const saved: unknown[] = [];
vi.mock('../../src/api/call.ts', () => ({
  call: async (route: unknown, { body }: { body?: unknown }) => {
    if (route === putEncodeDraft) saved.push(body);
    if (route !== getEncodeDraft) return undefined;
    const answer = stored;
    meanwhile();
    return answer;
  },
}));

beforeAll(() => {
  beBrowser('http://127.0.0.1');
  Object.defineProperty(globalThis, 'window', { value: globalThis, configurable: true });
});

const operation = succeeded(kessv2Result);
const read = page.readOf(operation);
const draft = { files: [], removed: null, willCorrectCVN: false, willSkipChecksum: false };
const resumed = { operation, readFile: null, slot: { read, draft } };
const file = { part: 'modified', fileGUID: 'file-1', name: 'v1.bin', size: 1, changes: null };
const replaced = { operation, readFile: null, slot: { read, draft: { ...draft, files: [file] } } };

test('a page is opened with its work, unless the draft of its slot was replaced', async () => {
  const key = { page, customerCode: 'C-1', device: 'M-1' };
  const first = openLivePage(key, resumed, operation.guid);
  expect(openLivePage(key, replaced, operation.guid)).toBe(first);
  void forgetLivePages('another slot');
  expect(openLivePage(key, replaced, operation.guid)).toBe(first);

  const upload = first.uploads.run(
    1,
    (signal) => new Promise((done) => signal.addEventListener('abort', () => done('ended'))),
  );
  void forgetLivePages(read.slotGUID);
  expect(await upload).toBe('ended');
  const flow = openLivePage(key, replaced, operation.guid).store.now();
  expect(flow.at === 'decoded' && flow.encode.inputs.parts['modified']).toMatchObject({
    at: 'complete',
    fileGUID: 'file-1',
  });
});

describe('a draft that a tray of the same tab has changed', () => {
  const open = (device: string) => {
    void forgetLivePages(read.slotGUID);
    const { store } = openLivePage({ page, customerCode: 'C-1', device }, replaced, operation.guid);
    const inputs = () => {
      const flow = store.now();
      if (flow.at !== 'decoded') throw new Error(flow.at);
      return flow.encode.inputs;
    };
    saved.length = 0;
    return { store, inputs };
  };

  test('is shown, and not saved once more', async () => {
    const { inputs } = open('M-2');
    stored = { ...draft, willCorrectCVN: true };
    await showSavedDraft(read.slotGUID);
    expect(inputs()).toMatchObject({ correctsCVN: true, parts: { modified: { at: 'ready' } } });
    expect(saved).toEqual([]);
  });

  test('leaves an upload alone', async () => {
    const { store, inputs } = open('M-3');
    store.dispatch({ type: 'part-restored', part: 'modified' });
    const chosen = { name: 'v2.bin', size: 2 };
    const part = 'modified';
    store.dispatch({ type: 'part-chosen', part, attempt: 1, file: chosen, isEngineUp: true });
    stored = { ...draft, willSkipChecksum: true };
    await showSavedDraft(read.slotGUID);
    const modified = { at: 'uploading', file: chosen };
    expect(inputs()).toMatchObject({ skipsChecksum: true, parts: { modified } });
  });

  test('is read again if the user has changed something meanwhile', async () => {
    const { store, inputs } = open('M-4');
    stored = replaced.slot.draft;
    meanwhile = () => {
      meanwhile = () => undefined;
      store.dispatch({ type: 'checksum-switched', skips: true });
      stored = { ...replaced.slot.draft, willSkipChecksum: true };
    };
    await showSavedDraft(read.slotGUID);
    expect(inputs().skipsChecksum).toBe(true);
    expect(saved).toEqual([expect.objectContaining({ willSkipChecksum: true })]);
  });
});

test('a change that a closed page left is saved before others read the draft, unless the draft is replaced', async () => {
  const change = { files: {}, removed: [], willCorrectCVN: true, willSkipChecksum: false };
  const kept = { slotGUID: read.slotGUID, draft: change };
  saved.length = 0;
  keepUnsaved(kept);
  await draftSaved(read.slotGUID);
  expect(saved).toEqual([change]);
  keepUnsaved(kept);
  await forgetLivePages(read.slotGUID);
  await draftSaved(read.slotGUID);
  expect(saved).toEqual([change]);
});
