/** The work of a tray: what an encode sends when its turn comes, what removes it, and how long a tray is followed. */
import type { Route } from '@recodery/contract/api';
import { Refusal } from '@recodery/contract/errors';
import type { Operation } from '@recodery/contract/operations';
import { putEncodeDraft } from '@recodery/contract/slots';
import { getTray, type Tray, type TrayFile } from '@recodery/contract/trays';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentRows, type LiveTray, openLiveTray } from '../../src/features/trays/live-tray.ts';
import { type LoadedTray, trayQuery, withPages } from '../../src/features/trays/tray-query.ts';
import { guid, kessv2Result, operation, succeeded } from '../recoding/results.ts';

let answer: (route: Route, input: { readonly body?: unknown }) => Promise<unknown>;
vi.mock('../../src/api/call.ts', () => ({
  call: (...given: Parameters<typeof answer>) => answer(...given),
}));

const contextOf = (body: unknown): string | null =>
  typeof body === 'object' && body !== null && 'contextData' in body
    ? String(body.contextData)
    : null;

const changes = { bytes: 2, regions: 1, size: 4096, fraction: 0.1, spans: [] };
const draftOf = (fileGUID: string | null) => ({
  files:
    fileGUID === null
      ? []
      : [{ part: 'modified', fileGUID, name: 'tune.bin', size: 4096, changes }],
  removed: null,
  willCorrectCVN: false,
  willSkipChecksum: false,
});

function trayOf(fileGUID: string | null, encode: Operation | null = null, places = 3): Tray {
  const file: TrayFile = {
    guid: guid(1),
    name: 'read.k2r',
    size: 4200,
    sha256: 'a'.repeat(64),
    workflow: 'kessv2',
    error: null,
    slotGUID: guid(50),
    decode: succeeded(kessv2Result),
    encode,
    images: [],
    draft: draftOf(fileGUID),
  };
  const createdOn = '2026-11-21T10:00:00.000Z';
  return { guid: guid(9), createdOn, parallelOperations: places, files: [file] };
}

let queries: QueryClient;
let live: LiveTray;
let server: Tray;
let encodes: string[];
/** What the service does with an encode. */
let respond: (context: string) => Promise<Operation>;

const { queryKey } = trayQuery(guid(9));
const show = async (tray: Tray): Promise<void> => {
  server = tray;
  queries.setQueryData<LoadedTray>(queryKey, await withPages(tray));
};
const row = () => {
  const loaded = queries.getQueryData<LoadedTray>(queryKey);
  const [first] = loaded === undefined ? [] : currentRows(loaded, live);
  if (first === undefined) throw new Error('there is no row');
  return first;
};
const encodeOf = (context: string): Operation =>
  operation({ guid: guid(30), asyncOperationType: 'KESSv2Encode', contextData: context });

beforeEach(() => {
  vi.stubGlobal('addEventListener', vi.fn<() => void>());
  vi.stubGlobal('removeEventListener', vi.fn<() => void>());
  queries = new QueryClient();
  encodes = [];
  respond = (context) => Promise.resolve(encodeOf(context));
  answer = (route, { body }) => {
    if (route === getTray) return Promise.resolve(server);
    if (route === putEncodeDraft) return Promise.resolve(undefined);
    const context = contextOf(body) ?? '';
    encodes.push(context);
    return respond(context);
  };
  live = openLiveTray(queries, guid(9));
});
afterEach(() => {
  queries.clear();
  vi.unstubAllGlobals();
});
const isIdle = () => live.queue.state().jobs.size === 0;

test('encodes the files that the row has when the turn of the encode comes', async () => {
  await show(trayOf(guid(80), null, 0));
  live.encode(row());
  expect(encodes).toEqual([]);
  await show(trayOf(guid(81)));
  live.queue.pump();
  await expect.poll(isIdle).toBe(true);
  expect(encodes).toEqual([expect.stringContaining(guid(81))]);
});

test('does not encode a file that was removed while the encode waited', async () => {
  await show(trayOf(guid(80), null, 0));
  live.encode(row());
  await live.removeImage(row(), 'modified');
  await show(trayOf(guid(80)));
  live.queue.pump();
  expect([isIdle(), encodes]).toEqual([true, []]);
});

test('does not encode again when only the response was lost', async () => {
  await show(trayOf(guid(80)));
  respond = (context) => {
    server = trayOf(guid(80), encodeOf(context));
    return Promise.reject(new TypeError('Failed to fetch'));
  };
  live.encode(row());
  await expect.poll(() => live.queue.state().pausedFor).toBe('network');
  live.queue.resume();
  await expect.poll(isIdle).toBe(true);
  expect(encodes).toHaveLength(1);
});

test('encodes again when the request itself was lost', async () => {
  await show(trayOf(guid(80)));
  respond = (context) =>
    encodes.length === 1
      ? Promise.reject(new Refusal('SERVICE_UNAVAILABLE'))
      : Promise.resolve(encodeOf(context));
  live.encode(row());
  await expect.poll(() => live.queue.state().pausedFor).toBe('service');
  live.queue.resume();
  await expect.poll(isIdle).toBe(true);
  expect(encodes).toHaveLength(2);
});

test('follows a tray only while a page shows it or it has jobs', async () => {
  await show(trayOf(guid(80), null, 0));
  const end = live.hold();
  live.encode(row());
  end();
  expect(removeEventListener).not.toHaveBeenCalled();
  expect(openLiveTray(queries, guid(9))).toBe(live);
  await live.removeImage(row(), 'modified');
  expect(removeEventListener).toHaveBeenCalledTimes(1);
  expect(openLiveTray(queries, guid(9))).not.toBe(live);
});
