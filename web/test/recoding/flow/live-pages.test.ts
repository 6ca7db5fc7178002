/** Which work of a recoding page stays alive in its tab. */
import {
  cancelUpload,
  getEncodeDraft,
  putEncodeDraft,
  type SlotDraft,
} from '@recodery/contract/features/slots';
import { Refusal } from '@recodery/contract/refusal';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FamilyPage } from '../../../src/features/recoding/families/family-page.ts';
import { LivePages, operationRemembered } from '../../../src/features/recoding/flow/live-pages.ts';
import { commandsOn } from '../../../src/features/recoding/flow/recoding-commands.ts';
import { keepUnsaved } from '../../../src/features/recoding/flow/drafts/save-draft.ts';
import { beBrowser } from '../../api/browser.ts';
import { callsTo } from '../../api/calls-to.ts';
import { encodedResult, guid, kessv2Result, succeeded } from '../results.ts';
import { loadPage } from '../../../src/features/recoding/families/registry.ts';

const page = await loadPage('kessv2');

/** The draft that the server has, and what happens while it is requested. */
let stored: SlotDraft;
let meanwhile: () => void = () => undefined;
/** Whether a draft cannot be saved now. */
let isOffline = false;
/** What the server answers to a change; null: it saves it. */
let refusal: Refusal | null = null;
const saved: unknown[] = [];
/** How many uploads were canceled. */
let canceled = 0;
const call = callsTo(async (route, { body }) => {
  if (route === cancelUpload) canceled += 1;
  if (route === putEncodeDraft) {
    if (isOffline) throw new TypeError('Failed to fetch');
    if (refusal) throw refusal;
    saved.push(body);
  }
  if (route !== getEncodeDraft) return undefined;
  const answer = stored;
  meanwhile();
  return answer;
});
beBrowser('http://127.0.0.1');
Object.defineProperty(globalThis, 'window', { value: globalThis, configurable: true });
const pages = new LivePages(call);

const operation = succeeded(kessv2Result);
const read = page.readOf(operation);
const draft = {
  slotGUID: read.slotGUID,
  files: [],
  removed: null,
  willCorrectCVN: false,
  willSkipChecksum: false,
  version: 1,
  changes: [],
};
const resumed = { operation, readFile: null, slot: { read, draft, encoded: [] } };
const file = { part: 'modified', fileGUID: 'file-1', name: 'v1.bin', size: 1, changes: null };
const replaced = {
  operation,
  readFile: null,
  slot: { read, draft: { ...draft, files: [file] }, encoded: [] },
};

test('a page is opened with its work, unless the draft of its slot was replaced', async () => {
  const key = { page, customerCode: 'C-1', device: 'M-1' };
  const first = pages.open(key, resumed, operation.guid);
  expect(pages.open(key, replaced, operation.guid)).toBe(first);
  void pages.forget('another slot');
  expect(pages.open(key, replaced, operation.guid)).toBe(first);

  const upload = first.uploads.run(
    1,
    (signal) => new Promise((done) => signal.addEventListener('abort', () => done('ended'))),
  );
  void pages.forget(read.slotGUID);
  expect(await upload).toBe('ended');
  const flow = pages.open(key, replaced, operation.guid).store.now();
  expect(flow.at === 'decoded' && flow.encode.inputs.parts['modified']).toMatchObject({
    at: 'complete',
    fileGUID: 'file-1',
  });
});

describe('a draft that a tray of the same tab has changed', () => {
  const open = (device: string) => {
    void pages.forget(read.slotGUID);
    const { store } = pages.open({ page, customerCode: 'C-1', device }, replaced, operation.guid);
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
    await pages.showSaved(read.slotGUID);
    expect(inputs()).toMatchObject({ correctsCVN: true, parts: { modified: { at: 'ready' } } });
    expect(saved).toEqual([]);
  });

  test('is not saved once more after it arrived while the send popup was open', async () => {
    const { store, inputs } = open('M-12');
    store.dispatch({ type: 'send-asked', source: 'decoded' });
    stored = { ...draft, files: [{ ...file, fileGUID: 'theirs' }], version: 2 };
    await pages.showSaved(read.slotGUID);
    expect(store.now()).toMatchObject({ encode: { at: 'addressing' } });
    store.dispatch({ type: 'send-canceled' });
    expect(inputs().parts['modified']).toMatchObject({ fileGUID: 'theirs' });
    store.dispatch({ type: 'cvn-switched', corrects: true });
    await pages.saved(read.slotGUID);
    expect(saved).toEqual([{ files: {}, willCorrectCVN: true, version: 2 }]);
  });

  test('does not affect an upload', async () => {
    const { store, inputs } = open('M-3');
    store.dispatch({ type: 'part-restored', part: 'modified' });
    const chosen = { name: 'v2.bin', size: 2 };
    const part = 'modified';
    store.dispatch({ type: 'part-chosen', part, attempt: 1, file: chosen, isEngineUp: true });
    stored = { ...draft, willSkipChecksum: true };
    await pages.showSaved(read.slotGUID);
    const modified = { at: 'uploading', file: chosen };
    expect(inputs()).toMatchObject({ skipsChecksum: true, parts: { modified } });
  });

  test('is read again if the user has changed something in the meantime', async () => {
    const { store, inputs } = open('M-4');
    stored = replaced.slot.draft;
    meanwhile = () => {
      meanwhile = () => undefined;
      store.dispatch({ type: 'checksum-switched', skips: true });
      stored = { ...replaced.slot.draft, willSkipChecksum: true };
    };
    await pages.showSaved(read.slotGUID);
    expect(inputs().skipsChecksum).toBe(true);
    expect(saved).toEqual([expect.objectContaining({ willSkipChecksum: true })]);
  });
});

describe('an Undo that the server refuses', () => {
  const theirs = { ...file, fileGUID: 'file-2', name: 'v2.bin' };
  const change = {
    ...{ field: 'file' as const, part: 'modified', version: 2, userDisplayName: 'Anna Conti' },
    changedOn: '2026-11-21T14:02:00.000Z',
  };
  /** A page that has replaced `v1.bin` by `v2.bin`, and undoes that. */
  async function undo(device: string, thrown: Refusal) {
    void pages.forget(read.slotGUID);
    const { store } = pages.open({ page, customerCode: 'C-1', device }, replaced, operation.guid);
    stored = { ...draft, files: [theirs], version: 2, changes: [change] };
    await pages.showSaved(read.slotGUID);
    store.dispatch({ type: 'news-dismissed' });
    refusal = thrown;
    onTestFinished(() => {
      refusal = null;
    });
    store.dispatch({ type: 'part-undone', part: 'modified' });
    await expect
      .poll(() => store.now())
      .toMatchObject({ encode: { inputs: { parts: { modified: { fileGUID: 'file-2' } } } } });
    const flow = store.now();
    if (flow.at !== 'decoded' || flow.encode.at !== 'preparing') throw new Error(flow.at);
    return flow.encode;
  }

  test('is reported as not saved, not as a change by others, and is not offered again', async () => {
    const { news, inputs } = await undo('M-13', new Refusal('NOT_FOUND'));
    expect(news).toEqual([{ kind: 'unsaved', part: 'modified', by: null, on: null }]);
    expect(inputs.parts['modified']).not.toHaveProperty('previous');
  });

  test('is reported as a change by others if they have changed the same', async () => {
    const { news } = await undo('M-14', new Refusal('DRAFT_CHANGED'));
    expect(news).toEqual([
      { kind: 'replaced', part: 'modified', by: 'Anna Conti', on: change.changedOn },
    ]);
  });
});

test('a change that was refused and then saved is not reported as unsaved once a colleague changes the same', async () => {
  void pages.forget(read.slotGUID);
  const key = { page, customerCode: 'C-1', device: 'M-15' };
  const { store } = pages.open(key, replaced, operation.guid);
  onTestFinished(() => {
    refusal = null;
    meanwhile = () => undefined;
  });
  // the draft cannot be read after the refusal, so that the page cannot report it
  refusal = new Refusal('NOT_FOUND');
  const failed = new Promise<void>((done) => {
    meanwhile = () => {
      done();
      throw new TypeError('Failed to fetch');
    };
  });
  const switchTo = (corrects: boolean) => store.dispatch({ type: 'cvn-switched', corrects });
  switchTo(true);
  await failed;
  refusal = null;
  meanwhile = () => undefined;
  switchTo(false);
  switchTo(true);
  await pages.saved(read.slotGUID);
  const on = '2026-11-21T14:02:00.000Z';
  const by = { version: 3, userDisplayName: 'Anna Conti', changedOn: on };
  stored = {
    ...replaced.slot.draft,
    version: 3,
    changes: [{ field: 'willCorrectCVN', part: null, ...by }],
  };
  await pages.showSaved(read.slotGUID);
  expect(store.now()).toMatchObject({
    encode: {
      inputs: { correctsCVN: false },
      news: [{ kind: 'cvn', part: null, by: 'Anna Conti', on }],
    },
  });
});

test('starting over cancels an upload, so that the server does not keep its file', async () => {
  void pages.forget(read.slotGUID);
  const live = pages.open({ page, customerCode: 'C-1', device: 'M-11' }, resumed, operation.guid);
  let upload: AbortSignal | undefined;
  const uploading: FamilyPage = {
    ...page,
    uploadPart: (_read, _part, _file, { signal }) => {
      upload = signal;
      return new Promise(() => {});
    },
  };
  const device = { groupCode: 'G-1', masterDeviceSerialNumber: 'M-11' };
  const limits = { isEngineUp: true, maxFileBytes: 2 ** 20, takesForeignFiles: false };
  const commands = commandsOn({ page: uploading, device, ...limits, ...live });
  commands.choosePart('modified', new File([new Uint8Array(16)], 'v2.bin'));
  await expect.poll(() => upload).toBeDefined();
  saved.length = 0;
  canceled = 0;
  commands.reset();
  expect(live.store.now()).toEqual({ at: 'choosing' });
  expect(upload?.aborted).toBe(true);
  expect(saved).toEqual([expect.objectContaining({ files: { modified: null } })]);
  expect(canceled).toBe(1);
});

test('a change that a closed page left is saved before others read the draft, unless the draft is replaced', async () => {
  const change = { files: {}, removed: [], willCorrectCVN: true, willSkipChecksum: false };
  const kept = { slotGUID: read.slotGUID, draft: change, canceled: [] };
  saved.length = 0;
  keepUnsaved(kept);
  await pages.saved(read.slotGUID);
  expect(saved).toEqual([change]);
  keepUnsaved(kept);
  await pages.forget(read.slotGUID);
  await pages.saved(read.slotGUID);
  expect(saved).toEqual([change]);
});

describe('a page whose address names another operation', () => {
  /** Opens a page with an upload in progress, which ends when it is aborted. */
  function openUploading(device: string) {
    void pages.forget(read.slotGUID);
    const key = { page, customerCode: 'C-1', device };
    const live = pages.open(key, resumed, operation.guid);
    const chosen = { name: 'v2.bin', size: 2 };
    const part = 'modified';
    live.store.dispatch({ type: 'part-chosen', part, attempt: 1, file: chosen, isEngineUp: true });
    let hasEnded = false;
    const upload = live.uploads.run(
      1,
      (signal) =>
        new Promise<void>((done) =>
          signal.addEventListener('abort', () => {
            hasEnded = true;
            done();
          }),
        ),
    );
    void upload;
    return { key, live, hasEnded: () => hasEnded };
  }
  const uploaded = { fileGUID: 'file-2', changes: null };
  const otherResult = { ...kessv2Result, kessv2SlotGUID: guid(77) };
  const otherOperation = succeeded(otherResult, { guid: guid(70) });
  const otherRead = page.readOf(otherOperation);
  const other = {
    operation: otherOperation,
    readFile: null,
    slot: { read: otherRead, draft, encoded: [] },
  };
  const contextData = `decodeOperationGUID=${operation.guid}&uploaded.modified=file-1+v1.bin`;
  const encoded = succeeded(encodedResult, {
    asyncOperationType: 'KESSv2Encode',
    guid: guid(71),
    contextData,
  });

  test('shows an encode of the same read next to its work', () => {
    const { key, live } = openUploading('M-5');
    expect(pages.open(key, { ...resumed, operation: encoded }, encoded.guid)).toBe(live);
    expect(live.store.now()).toMatchObject({
      encode: { at: 'encoded', inputs: { parts: { modified: { fileGUID: 'file-1' } } } },
    });
    expect(pages.isUploadingTo(read.slotGUID)).toBe(true);
    live.store.dispatch({ type: 'part-uploaded', attempt: 1, uploaded });
    expect(pages.isUploadingTo(read.slotGUID)).toBe(false);
    live.store.dispatch({ type: 'another-asked' });
    expect(live.store.now()).toMatchObject({
      encode: { at: 'preparing', inputs: { parts: { modified: { fileGUID: 'file-2' } } } },
    });
  });

  test('finishes the upload of another read, and its work is there again when that is opened', async () => {
    const { key, live, hasEnded } = openUploading('M-6');
    expect(pages.open(key, other, otherOperation.guid)).not.toBe(live);
    expect(pages.isUploadingTo(read.slotGUID)).toBe(true);
    expect(pages.open(key, resumed, operation.guid)).toBe(live);
    expect(pages.open(key, other, otherOperation.guid)).not.toBe(live);
    live.store.dispatch({ type: 'part-uploaded', attempt: 1, uploaded });
    expect(pages.isUploadingTo(read.slotGUID)).toBe(false);
    await expect.poll(hasEnded).toBe(true);
    expect(pages.open(key, resumed, operation.guid)).not.toBe(live);
    await pages.forget(otherRead.slotGUID);
  });

  test('is not shown when the address names an operation of a deleted job, also one that this tab has shown', () => {
    const key = { page, customerCode: 'C-1', device: 'M-13' };
    pages.open(key, replaced, operation.guid);
    const named = pages.open(key, null, operation.guid);
    expect(named.store.now().at).toBe('choosing');
    expect(pages.open(key, null, null)).toBe(named);
  });

  test('is closed also if its changes could only be saved later, and once', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      isOffline = false;
      vi.useRealTimers();
    });
    void pages.forget(read.slotGUID);
    const key = { page, customerCode: 'C-1', device: 'M-10' };
    const live = pages.open(key, resumed, operation.guid);
    isOffline = true;
    live.store.dispatch({ type: 'cvn-switched', corrects: true });
    const listens = vi.spyOn(live.store, 'subscribe');
    pages.open(key, other, otherOperation.guid);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pages.open(key, resumed, operation.guid)).toBe(live);
    const ends = vi.spyOn(window, 'removeEventListener');
    pages.open(key, other, otherOperation.guid);
    expect(listens).toHaveBeenCalledTimes(2);
    isOffline = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ends.mock.calls.map(([type]) => type)).toEqual(['pagehide', 'pageshow']);
    expect(pages.open(key, resumed, operation.guid)).not.toBe(live);
    await pages.forget(otherRead.slotGUID);
  });

  test('ends the upload of another read when the draft of its slot is replaced', async () => {
    const { key, hasEnded } = openUploading('M-7');
    pages.open(key, other, otherOperation.guid);
    await pages.forget(read.slotGUID);
    expect(hasEnded()).toBe(true);
    expect(pages.isUploadingTo(read.slotGUID)).toBe(false);
    await pages.forget(otherRead.slotGUID);
  });

  test('does not become the page that is remembered when its upload finishes later', () => {
    const { key, live } = openUploading('M-8');
    pages.open(key, other, otherOperation.guid);
    live.store.dispatch({ type: 'part-uploaded', attempt: 1, uploaded });
    expect(operationRemembered(key)).toBe(otherOperation.guid);
  });

  test('saves nothing of a newer draft again when an earlier encode is opened', async () => {
    void pages.forget(read.slotGUID);
    const newer = { ...draft, files: [{ ...file, fileGUID: 'file-2' }] };
    const key = { page, customerCode: 'C-1', device: 'M-9' };
    const slot = { read, draft: newer, encoded: [] };
    const live = pages.open(key, { operation: encoded, readFile: null, slot }, encoded.guid);
    saved.length = 0;
    live.store.dispatch({ type: 'another-asked' });
    await pages.saved(read.slotGUID);
    expect(saved).toEqual([]);
  });
});
