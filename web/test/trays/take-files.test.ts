/** Dropped files find their reads. */
import { byWorkflow } from '@recodery/contract/families/registry';
import { getTray, type Tray, type TrayFile } from '@recodery/contract/features/trays';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { openLiveTray } from '../../src/features/trays/live-tray.ts';
import { takeFiles } from '../../src/features/trays/take-files.ts';
import { type LoadedTray, trayQuery, withPages } from '../../src/features/trays/tray-query.ts';
import { guid, kessv2Result, succeeded } from '../recoding/results.ts';

let server: Tray;
vi.mock('../../src/api/call.ts', () => ({
  call: (route: unknown) =>
    route === getTray ? Promise.resolve(server) : Promise.reject(new Error('not expected')),
}));
vi.mock('../../src/features/recoding/flow/live-pages.ts', () => ({}));

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

afterEach(() => void vi.unstubAllGlobals());

test('a modified file finds a read whose decode was announced before its image', async () => {
  vi.stubGlobal('addEventListener', vi.fn<() => void>());
  const image = { name: kessv2Result.decodedFileName, size: 3, sha256: 'b'.repeat(64) };
  server = { ...tray, files: [fileOf([image])] };
  const queries = new QueryClient();
  const shown: LoadedTray = await withPages({ ...tray, files: [fileOf([])] });
  queries.setQueryData(trayQuery(guid(9)).queryKey, shown);
  const modified = new File(['abc'], 'read_stage1.bin');
  const live = openLiveTray(queries, guid(9));
  const taken = await takeFiles(queries, shown, [modified], rules);
  expect(taken).toEqual({ known: [], left: [], unplaced: [] });
  expect([...live.queue.state().jobs.keys()]).toEqual([`image/${guid(1)}/modified`]);
});
