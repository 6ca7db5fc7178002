/** Dropped files find their reads. */
import { byWorkflow } from '@recodery/contract/families/registry';
import { getTray, type Tray, type TrayFile } from '@recodery/contract/features/trays';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Work } from '../../src/api/work.ts';
import { liveTraysOf } from '../../src/features/trays/live-tray.ts';
import { placeAgain, takeFiles } from '../../src/features/trays/dropped/take-files.ts';
import type { LoadedTray } from '../../src/features/trays/tray-query.ts';
import { beBrowser } from '../api/browser.ts';
import { callsTo } from '../api/calls-to.ts';
import { guid, kessv2Result, succeeded } from '../recoding/results.ts';

let server: Tray;
const call = callsTo(async (route) => {
  if (route === getTray) return server;
  throw new Error('not expected');
});
const startTrays = () => liveTraysOf(new Work(call, new QueryClient()));

const tray: Tray = {
  guid: guid(9),
  name: null,
  createdOn: '2026-11-21T10:00:00.000Z',
  parallelOperations: 3,
  files: [],
};
const rules = { entries: byWorkflow(() => null), maxFileBytes: 1 << 20 };

function fileOf(images: TrayFile['images']): TrayFile {
  return {
    guid: guid(1),
    name: 'read.k2r',
    size: 4200,
    sha256: 'a'.repeat(64),
    workflow: 'kessv2',
    error: null,
    slotGUID: guid(50),
    decode: succeeded(kessv2Result),
    encode: null,
    images,
    draft: null,
  };
}

beforeAll(() => beBrowser('http://127.0.0.1:9'));
afterEach(() => void vi.unstubAllGlobals());

test('a modified file finds a read whose decode was announced before its image', async () => {
  vi.stubGlobal('addEventListener', vi.fn<() => void>());
  const image = { name: kessv2Result.decodedFileName, size: 3, sha256: 'b'.repeat(64) };
  server = { ...tray, files: [fileOf([image])] };
  const trays = startTrays();
  const shown = await trays.show({ ...tray, files: [fileOf([])] });
  const modified = new File(['abc'], 'read_stage1.bin');
  const live = trays.open(guid(9));
  const taken = await takeFiles(trays, shown, [modified], rules);
  expect(taken).toEqual({ known: [], left: [], unplaced: [] });
  expect([...live.queue.state().jobs.keys()]).toEqual([`image/${guid(1)}/modified`]);
});

/** A tray with one decoded read, as the cache has it; `stored`: the part already has a modified file on the server. */
async function openDecoded(trayNumber: number, stored = false) {
  vi.stubGlobal('addEventListener', vi.fn<() => void>());
  const image = { name: kessv2Result.decodedFileName, size: 3, sha256: 'b'.repeat(64) };
  const version = { fileGUID: guid(70), name: 'before.bin', size: 3, changes: null };
  const files = stored ? [{ part: 'modified', ...version }] : [];
  const draft = { files, removed: null, willCorrectCVN: false, willSkipChecksum: false };
  const trayGUID = guid(trayNumber);
  server = { ...tray, guid: trayGUID, files: [{ ...fileOf([image]), draft }] };
  const trays = startTrays();
  const shown = await trays.show(server);
  const live = trays.open(trayGUID);
  return { trays, shown, live, uploads: () => live.queue.unfinished() };
}
function withoutDrafts({ tray, pages }: LoadedTray): LoadedTray {
  return { tray: { ...tray, files: tray.files.map((file) => ({ ...file, draft: null })) }, pages };
}
const named = (addition: string): File =>
  new File([addition.padEnd(3)], kessv2Result.decodedFileName.replace('.', `_${addition}.`));

// promise 4.tray.replace
describe('a part with a modified file', () => {
  test('is not given another one automatically while the first is uploaded', async () => {
    const { trays, shown, live, uploads } = await openDecoded(10);
    const [v1, v2, v3] = [named('v1'), named('v2'), new File(['v3 '], 'any-name.bin')];
    const first = await takeFiles(trays, shown, [v1, v2], rules);
    const second = await takeFiles(trays, shown, [v3], rules);
    const unplaced = [...first.unplaced, ...second.unplaced];
    expect(unplaced.map(({ file, match }) => [file, match.at])).toEqual([
      [v2, 'asked'],
      [v3, 'asked'],
    ]);
    // another read is decoded, or the page is opened again
    expect(placeAgain(shown, live, unplaced)).toHaveLength(2);
    expect(uploads()).toEqual([v1.name]);
  });

  test('is not given another one automatically once the first is on the server, in this or another tab', async () => {
    const { trays, shown, uploads } = await openDecoded(11, true);
    // this tab has not heard of the file yet
    const stale = withoutDrafts(shown);
    trays.queries.setQueryData(trays.queryOf(shown.tray.guid).queryKey, stale);
    const { unplaced } = await takeFiles(trays, stale, [named('v2')], rules);
    expect(unplaced.map(({ match }) => match.at)).toEqual(['asked']);
    expect(uploads()).toEqual([]);
  });

  test('stays a question when the part becomes empty', async () => {
    const { trays, shown, live, uploads } = await openDecoded(12, true);
    const { unplaced } = await takeFiles(trays, shown, [named('v2')], rules);
    expect(placeAgain(withoutDrafts(shown), live, unplaced)).toEqual(unplaced);
    expect(uploads()).toEqual([]);
  });
});
