/**
 * The work of a tray: what an encode sends when its turn comes, what its checks stop, what removes it, how drafts are
 * changed, and how long a tray is followed.
 */
import { Refusal } from '@recodery/contract/refusal';
import { putEncodeDraft } from '@recodery/contract/features/slots';
import { expect, onTestFinished, test, vi } from 'vitest';
import { guid } from '../recoding/results.ts';
import {
  tab,
  trayOf,
  show,
  row,
  openDevicePage,
  encodeOf,
  isIdle,
  useNewTabs,
} from './live-tray-steps.ts';

useNewTabs();

test('encodes the files that the row has when the turn of the encode comes', async () => {
  await show(trayOf(guid(80), null, 0));
  tab.live.encode(row());
  expect(tab.encodes).toEqual([]);
  await show(trayOf(guid(81)));
  tab.live.queue.pump();
  await expect.poll(isIdle).toBe(true);
  expect(tab.encodes).toEqual([expect.stringContaining(guid(81))]);
});

test('does not encode a file that was removed while the encode waited', async () => {
  await show(trayOf(guid(80), null, 0));
  tab.live.encode(row());
  await tab.live.removeImage(row(), 'modified');
  await show(trayOf(guid(80)));
  tab.live.queue.pump();
  expect([isIdle(), tab.encodes]).toEqual([true, []]);
});

test('does not encode again when only the response was lost', async () => {
  await show(trayOf(guid(80)));
  tab.respond = (context) => {
    tab.server = trayOf(guid(80), encodeOf(context));
    return Promise.reject(new TypeError('Failed to fetch'));
  };
  tab.live.encode(row());
  await expect.poll(() => tab.live.queue.state().pausedFor).toBe('network');
  tab.live.queue.resume();
  await expect.poll(isIdle).toBe(true);
  expect(tab.encodes).toHaveLength(1);
});

test('encodes again when the request itself was lost', async () => {
  await show(trayOf(guid(80)));
  tab.respond = (context) =>
    tab.encodes.length === 1
      ? Promise.reject(new Refusal('SERVICE_UNAVAILABLE'))
      : Promise.resolve(encodeOf(context));
  tab.live.encode(row());
  await expect.poll(() => tab.live.queue.state().pausedFor).toBe('service');
  tab.live.queue.resume();
  await expect.poll(isIdle).toBe(true);
  expect(tab.encodes).toHaveLength(2);
});

// promise 4.tray.refused
test('asks before the tab closes while only this tab knows that a modified file was refused', async () => {
  await show(trayOf(null));
  onTestFinished(tab.live.hold());
  tab.uploaded = () => Promise.reject(new Refusal('WRONG_SIZE'));
  tab.live.modify(row(), 'modified', new File(['x'], 'other.bin'));
  await expect.poll(() => tab.live.queue.hasRefused('image')).toBe(true);
  const count = (listen: typeof addEventListener) =>
    vi.mocked(listen).mock.calls.filter(([name]) => name === 'beforeunload').length;
  expect(count(addEventListener)).toBe(count(removeEventListener) + 1);
  await tab.live.removeImage(row(), 'modified');
  expect(count(removeEventListener)).toBe(count(addEventListener));
});

// promise 4.tray.refused
test('keeps the refusal of a file while the server has noted only another one for its part', async () => {
  const loaded = trayOf(guid(80));
  const [file] = loaded.files;
  if (!file?.draft) throw new Error('there is no draft');
  const noted = {
    ...{ part: 'modified', name: 'earlier.bin', size: 1, errorCode: 'WRONG_SIZE', details: null },
    ...{ diagnosis: null, refusedOn: '2026-11-27T08:00:00.000Z' },
  };
  await show({ ...loaded, files: [{ ...file, draft: { ...file.draft, refused: [noted] } }] });
  onTestFinished(tab.live.hold());
  tab.uploaded = () => Promise.reject(new Refusal('WRONG_SIZE'));
  tab.live.modify(row(), 'modified', new File(['x'], 'other.bin'));
  await expect.poll(() => tab.live.queue.hasRefused('image')).toBe(true);
  await tab.live.removeImage(row(), 'modified');
});

// promise 4.tray.refused
test('shows what the server has noted of a refused file, and dismisses it there', async () => {
  await show(trayOf(guid(80)));
  onTestFinished(tab.live.hold());
  const { store } = openDevicePage();
  tab.uploaded = () => {
    const [file] = tab.server.files;
    if (!file?.draft) throw new Error('there is no draft');
    const noted = {
      ...{ part: 'modified', name: 'other.bin', size: 1, errorCode: 'WRONG_SIZE', details: null },
      ...{ diagnosis: null, refusedOn: '2026-11-27T08:00:00.000Z' },
    };
    tab.server = {
      ...tab.server,
      files: [{ ...file, draft: { ...file.draft, refused: [noted] } }],
    };
    return Promise.reject(new Refusal('WRONG_SIZE'));
  };
  tab.live.modify(row(), 'modified', new File(['x'], 'other.bin'));
  await expect.poll(() => tab.live.queue.state().jobs.size).toBe(0);
  // no question before the tab closes: every other tab shows the same
  expect(tab.live.queue.hasRefused('image')).toBe(false);
  const { state } = row();
  expect(state).toMatchObject({
    encode: { at: 'refused' },
    images: [{ refused: { name: 'other.bin' }, complete: { fileGUID: guid(80) } }],
  });
  expect(store.now()).toMatchObject({
    encode: { inputs: { parts: { modified: { refused: { file: { name: 'other.bin' } } } } } },
  });
  await tab.live.removeImage(row(), 'modified');
  expect(tab.drafts.at(-1)?.files).toEqual({ modified: guid(80) });
});

test('follows a tray only while a page shows it or it has jobs', async () => {
  await show(trayOf(guid(80), null, 0));
  const end = tab.live.hold();
  tab.live.encode(row());
  end();
  expect(removeEventListener).not.toHaveBeenCalled();
  expect(tab.trays.open(guid(9))).toBe(tab.live);
  await tab.live.removeImage(row(), 'modified');
  // neither the question before the browser closes the tab nor anything else remains
  const namesOf = (listen: typeof addEventListener) =>
    vi.mocked(listen).mock.calls.map(([name]) => name);
  expect(namesOf(removeEventListener)).toContain('beforeunload');
  expect(namesOf(removeEventListener).toSorted()).toEqual(namesOf(addEventListener).toSorted());
  expect(tab.trays.open(guid(9))).not.toBe(tab.live);
});

test('the device page of this tab shows that a file was removed or replaced', async () => {
  await show(trayOf(guid(80)));
  const { slotGUID, modified } = openDevicePage();
  const before = tab.answer;
  tab.answer = async (route, ...given) => {
    const response = await before(route, ...given);
    if (route === putEncodeDraft) tab.server = trayOf(null);
    return response;
  };
  await tab.live.removeImage(row(), 'modified');
  expect(tab.drafts).toEqual([expect.objectContaining({ files: { modified: null } })]);
  expect(modified()).toMatchObject({ at: 'ready' });
  tab.uploaded = async () => {
    tab.server = trayOf(guid(81));
    return Promise.resolve();
  };
  tab.live.modify(row(), 'modified', new File(['x'], 'other.bin'));
  await expect.poll(isIdle).toBe(true);
  expect(modified()).toMatchObject({ at: 'complete', fileGUID: guid(81) });
  await tab.pages.forget(slotGUID);
});
