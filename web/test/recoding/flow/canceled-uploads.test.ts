/** Which canceled uploads the next page of the tab cancels again. */
import { cancelUpload, putEncodeDraft } from '@recodery/contract/features/slots';
import { beforeAll, expect, test } from 'vitest';
import { LivePages } from '../../../src/features/recoding/flow/live-pages.ts';
import { beBrowser } from '../../api/browser.ts';
import { callsTo } from '../../api/calls-to.ts';
import { kessv2Result, succeeded } from '../results.ts';
import { loadPage } from '../../../src/features/recoding/families/registry.ts';

const page = await loadPage('kessv2');

beforeAll(() => {
  beBrowser('http://127.0.0.1');
  Object.defineProperty(globalThis, 'window', { value: globalThis, configurable: true });
});

test('an upload that was canceled by starting over is canceled again by the next page', async () => {
  const told: unknown[] = [];
  const lost = new LivePages(
    callsTo(async (route) => {
      if (route === cancelUpload) throw new TypeError('Failed to fetch');
    }),
  );
  const operation = succeeded(kessv2Result);
  const read = page.readOf(operation);
  const { slotGUID } = read;
  const draft = {
    ...{ slotGUID, files: [], removed: null, version: 1, changes: [] },
    ...{ willCorrectCVN: false, willSkipChecksum: false },
  };
  const resumed = { operation, readFile: null, slot: { read, draft, encoded: [] } };
  const live = lost.open({ page, customerCode: 'C-1', device: 'M-15' }, resumed, operation.guid);
  const file = new File([], 'v2.bin');
  const never = () => new Promise(() => {});
  void live.uploads.run(1, (signal) =>
    live.uploads.sendImage({ slotGUID, part: 'modified', file }, signal, never),
  );
  live.store.dispatch({ type: 'reset' });
  live.uploads.abortAll();
  await lost.forget(slotGUID);
  window.dispatchEvent(new Event('pagehide'));
  const next = new LivePages(
    callsTo(async (route, { body }) => {
      if (route === cancelUpload) told.push(body);
    }),
  );
  await next.saveKept(slotGUID);
  expect(told).toEqual([{ upload: expect.stringMatching(/^[\da-f]{32}$/) }]);
});

test('a change that was not saved before starting over stays beside the canceled upload', async () => {
  const offline = callsTo(async (route) => {
    if (route === cancelUpload || route === putEncodeDraft) throw new TypeError('Failed to fetch');
  });
  const lost = new LivePages(offline);
  const operation = succeeded(kessv2Result);
  const read = page.readOf(operation);
  const { slotGUID } = read;
  const draft = {
    ...{ slotGUID, files: [], removed: null, version: 1, changes: [] },
    ...{ willCorrectCVN: false, willSkipChecksum: false },
  };
  const resumed = { operation, readFile: null, slot: { read, draft, encoded: [] } };
  const live = lost.open({ page, customerCode: 'C-1', device: 'M-15' }, resumed, operation.guid);
  const file = new File([], 'v3.bin');
  const never = () => new Promise(() => {});
  void live.uploads.run(1, (signal) =>
    live.uploads.sendImage({ slotGUID, part: 'modified', file }, signal, never),
  );
  live.store.dispatch({ type: 'checksum-switched', skips: true });
  live.store.dispatch({ type: 'reset' });
  live.uploads.abortAll();
  // the page keeps its change first; no page shows the slot any more
  window.dispatchEvent(new Event('pagehide'));
  const told: unknown[] = [];
  const next = new LivePages(
    callsTo(async (route, { body }) => {
      if (route === cancelUpload || route === putEncodeDraft) told.push(body);
    }),
  );
  await next.saveKept(slotGUID);
  expect(told).toEqual([
    { upload: expect.stringMatching(/^[\da-f]{32}$/) },
    { files: {}, willSkipChecksum: true, version: 1 },
  ]);
});
