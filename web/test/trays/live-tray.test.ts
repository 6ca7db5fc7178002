/**
 * The work of a tray: what an encode sends when its turn comes, what its checks stop, what removes it, how drafts are
 * changed, and how long a tray is followed.
 */
import type { Workflow } from '@recodery/contract/families/registry';
import { Refusal } from '@recodery/contract/refusal';
import type { Operation } from '@recodery/contract/features/operations';
import {
  type PreflightAnswer,
  type PreflightCheck,
  preflightRoutes,
} from '@recodery/contract/features/recoding/preflight';
import {
  type EncodeDraftChange,
  getEncodeDraft,
  putEncodeDraft,
} from '@recodery/contract/features/slots';
import { getServiceStatus } from '@recodery/contract/features/service-status';
import { getTray, type Tray, type TrayFile } from '@recodery/contract/features/trays';
import { QueryClient } from '@tanstack/react-query';
import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import type { upload as Upload } from '../../src/api/files/upload.ts';
import { Work } from '../../src/api/work.ts';
import type { FamilyPage } from '../../src/features/recoding/families/family-page.ts';
import { loadPage } from '../../src/features/recoding/families/registry.ts';
import { type LivePages, livePagesOf } from '../../src/features/recoding/flow/live-pages.ts';
import type { PartState } from '../../src/features/recoding/inputs.ts';
import { startTexts } from '../../src/i18n/texts.ts';
import { beBrowser } from '../api/browser.ts';
import { callsTo, type Respond } from '../api/calls-to.ts';
import { currentRows, type LiveTray, LiveTrays } from '../../src/features/trays/live-tray.ts';
import { statusQuery } from '../../src/features/service-status/service-status.ts';
import { bootBenchResult, guid, kessv2Result, operation, succeeded } from '../recoding/results.ts';

const kessv2 = await loadPage('kessv2');

let answer: Respond;

/** The behavior of an upload once its bytes have arrived. */
let uploaded: () => Promise<unknown>;

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

/** Each test uses a different file, because confirmations are remembered for each file. */
let files = 0;

function trayOf(fileGUID: string | null, encode: Operation | null = null, places = 3): Tray {
  const file: TrayFile = {
    guid: guid(100 + files),
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
  return { guid: guid(9), name: null, createdOn, parallelOperations: places, files: [file] };
}

let queries: QueryClient;
let pages: LivePages;
let trays: LiveTrays;
let live: LiveTray;
let server: Tray;
let encodes: string[];
let preflights: number;
let statusCode: 200 | 503;
/** The drafts that were saved. */
let drafts: EncodeDraftChange[];
/** The service's response to an encode. */
let respond: (context: string) => Promise<Operation>;
/** The service's response to a request for the checks. */
let check: (signal: AbortSignal | undefined) => Promise<PreflightAnswer>;

/** The families' pages, whose encodes and uploads the test answers. */
async function loadTestPage(workflow: Workflow): Promise<FamilyPage> {
  return {
    ...(await loadPage(workflow)),
    encode: ({ contextData }) => {
      encodes.push(contextData);
      return respond(contextData);
    },
    uploadPart: async () => {
      await uploaded();
      return { fileGUID: guid(99), changes: null };
    },
  };
}

const show = async (tray: Tray): Promise<void> => {
  server = tray;
  await trays.show(tray);
};
const row = () => {
  const loaded = queries.getQueryData(trays.queryOf(guid(9)).queryKey);
  const [first] = loaded === undefined ? [] : currentRows(loaded, live);
  if (first === undefined) throw new Error('there is no row');
  return first;
};
/** The device page of the read in the tray, which shows the draft that the server has. */
function openDevicePage() {
  const key = { page: kessv2, customerCode: 'C-1', device: 'M-1' };
  const decoded = succeeded(kessv2Result);
  const read = kessv2.readOf(decoded);
  const draft = server.files[0]?.draft;
  if (!draft) throw new Error('there is no draft');
  const stored = { ...draft, slotGUID: read.slotGUID, version: 1, changes: [] };
  const slot = { read, draft: stored, encoded: [] };
  const { store } = pages.open(key, { operation: decoded, readFile: null, slot }, decoded.guid);
  const modified = (): PartState | undefined => {
    const flow = store.now();
    return flow.at === 'decoded' ? flow.encode.inputs.parts['modified'] : undefined;
  };
  return { store, slotGUID: read.slotGUID, modified };
}
const encodeOf = (context: string): Operation =>
  operation({ guid: guid(30), asyncOperationType: 'KESSv2Encode', contextData: context });

const outside: PreflightCheck = {
  id: 'outside-calibration',
  part: 'modified',
  status: 'amber',
  error: null,
  reason: null,
  values: {
    bytes: 12,
    protectedBytes: 0,
    hasCalibration: true,
    identificationBytes: 0,
    checksumBytes: 0,
    spans: [],
  },
};
const identical: PreflightCheck = { ...outside, id: 'identical', values: { bytes: 0 } };
const missing: PreflightCheck = {
  ...outside,
  id: 'files',
  status: 'red',
  error: { errorName: 'WRONG_SIZE', detail: null, cause: 'WRONG_SIZE' },
  values: null,
};

/** The checks for a draft with this modified file. */
function preflightOf(fileGUID: string, ...checks: PreflightCheck[]): PreflightAnswer {
  const has = (status: PreflightCheck['status']) => checks.some((one) => one.status === status);
  return {
    status: has('red') ? 'red' : has('amber') ? 'amber' : 'green',
    unchecked: 0,
    draft: {
      files: { modified: fileGUID },
      removed: null,
      willCorrectCVN: false,
      willSkipChecksum: false,
    },
    checks,
  };
}
/** The checks for the draft that the server has. */
const preflightNow = (...checks: PreflightCheck[]): PreflightAnswer =>
  preflightOf(server.files[0]?.draft?.files[0]?.fileGUID ?? '', ...checks);

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  Object.defineProperty(globalThis, 'window', { value: globalThis, configurable: true });
  await startTexts(null);
});
beforeEach(() => {
  vi.stubGlobal('addEventListener', vi.fn<() => void>());
  vi.stubGlobal('removeEventListener', vi.fn<() => void>());
  queries = new QueryClient();
  files += 1;
  encodes = [];
  respond = (context) => Promise.resolve(encodeOf(context));
  preflights = 0;
  statusCode = 200;
  drafts = [];
  check = () => Promise.resolve(preflightNow());
  uploaded = () => Promise.reject(new Error('nothing is uploaded'));
  answer = (route, { body }, options) => {
    if (route === getServiceStatus) return Promise.resolve({ statusCode });
    if (route === getTray) return Promise.resolve(server);
    if (route === getEncodeDraft)
      return Promise.resolve({ version: 1, changes: [], ...server.files[0]?.draft });
    if (route === putEncodeDraft) {
      // the type of the route's body
      drafts.push(body as EncodeDraftChange);
      return Promise.resolve(undefined);
    }
    if (route === preflightRoutes.kessv2) {
      preflights += 1;
      return check(options?.signal);
    }
    return Promise.reject(new Error(`not expected: ${route.path}`));
  };
  const call = callsTo((...given) => answer(...given));
  // the test answers what the route returns
  const upload = (() => uploaded()) as typeof Upload;
  const work = new Work(call, queries);
  pages = livePagesOf(work);
  trays = new LiveTrays(work, { upload, loadPage: loadTestPage });
  live = trays.open(guid(9));
});
afterEach(() => {
  queries.clear();
  vi.unstubAllGlobals();
});
const encodeState = () => {
  const { state } = row();
  if (state.at !== 'decoded') throw new Error(`it is ${state.at}`);
  return state.encode;
};
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

// promise 4.tray.refused
test('asks before the tab closes while only this tab knows that a modified file was refused', async () => {
  await show(trayOf(null));
  onTestFinished(live.hold());
  uploaded = () => Promise.reject(new Refusal('WRONG_SIZE'));
  live.modify(row(), 'modified', new File(['x'], 'other.bin'));
  await expect.poll(() => live.queue.hasRefused('image')).toBe(true);
  const count = (listen: typeof addEventListener) =>
    vi.mocked(listen).mock.calls.filter(([name]) => name === 'beforeunload').length;
  expect(count(addEventListener)).toBe(count(removeEventListener) + 1);
  await live.removeImage(row(), 'modified');
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
  onTestFinished(live.hold());
  uploaded = () => Promise.reject(new Refusal('WRONG_SIZE'));
  live.modify(row(), 'modified', new File(['x'], 'other.bin'));
  await expect.poll(() => live.queue.hasRefused('image')).toBe(true);
  await live.removeImage(row(), 'modified');
});

// promise 4.tray.refused
test('shows what the server has noted of a refused file, and dismisses it there', async () => {
  await show(trayOf(guid(80)));
  onTestFinished(live.hold());
  const { store } = openDevicePage();
  uploaded = () => {
    const [file] = server.files;
    if (!file?.draft) throw new Error('there is no draft');
    const noted = {
      ...{ part: 'modified', name: 'other.bin', size: 1, errorCode: 'WRONG_SIZE', details: null },
      ...{ diagnosis: null, refusedOn: '2026-11-27T08:00:00.000Z' },
    };
    server = { ...server, files: [{ ...file, draft: { ...file.draft, refused: [noted] } }] };
    return Promise.reject(new Refusal('WRONG_SIZE'));
  };
  live.modify(row(), 'modified', new File(['x'], 'other.bin'));
  await expect.poll(() => live.queue.state().jobs.size).toBe(0);
  // no question before the tab closes: every other tab shows the same
  expect(live.queue.hasRefused('image')).toBe(false);
  const { state } = row();
  expect(state).toMatchObject({
    encode: { at: 'refused' },
    images: [{ refused: { name: 'other.bin' }, complete: { fileGUID: guid(80) } }],
  });
  expect(store.now()).toMatchObject({
    encode: { inputs: { parts: { modified: { refused: { file: { name: 'other.bin' } } } } } },
  });
  await live.removeImage(row(), 'modified');
  expect(drafts.at(-1)?.files).toEqual({ modified: guid(80) });
});

test('follows a tray only while a page shows it or it has jobs', async () => {
  await show(trayOf(guid(80), null, 0));
  const end = live.hold();
  live.encode(row());
  end();
  expect(removeEventListener).not.toHaveBeenCalled();
  expect(trays.open(guid(9))).toBe(live);
  await live.removeImage(row(), 'modified');
  // neither the question before the browser closes the tab nor anything else remains
  const namesOf = (listen: typeof addEventListener) =>
    vi.mocked(listen).mock.calls.map(([name]) => name);
  expect(namesOf(removeEventListener)).toContain('beforeunload');
  expect(namesOf(removeEventListener).toSorted()).toEqual(namesOf(addEventListener).toSorted());
  expect(trays.open(guid(9))).not.toBe(live);
});

describe('the checks of an encode', () => {
  const at = () => encodeState().at;

  // promise 4.tray.checks
  test('let it start if nothing is amber or red', async () => {
    await show(trayOf(guid(80)));
    check = () => Promise.resolve(preflightNow({ ...identical, status: 'green' }));
    live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect([preflights, encodes.length]).toEqual([1, 1]);
  });

  // promise 4.tray.checks
  test('stop it if something is amber, until the user confirms exactly this', async () => {
    await show(trayOf(guid(80)));
    check = () => Promise.resolve(preflightNow(outside));
    live.encode(row());
    await expect.poll(at).toBe('asked');
    expect(encodeState()).toMatchObject({ answer: { checks: [outside] } });
    expect([live.queue.unfinished(), live.queue.state().pausedFor]).toEqual([[], null]);
    live.encode(row());
    await expect.poll(() => preflights).toBe(2);
    await expect.poll(at).toBe('asked');

    // the findings have changed in the meantime
    check = () => Promise.resolve(preflightNow(outside, identical));
    live.confirm(row());
    await expect.poll(() => preflights).toBe(3);
    await expect.poll(at).toBe('asked');
    expect(encodes).toEqual([]);
    live.confirm(row());
    await expect.poll(isIdle).toBe(true);
    expect(encodes).toEqual([expect.stringContaining(guid(80))]);
  });

  // promise 4.tray.checks
  test('are not asked about again when the encode is repeated', async () => {
    await show(trayOf(guid(80)));
    check = () => Promise.resolve(preflightNow(outside));
    live.encode(row());
    await expect.poll(at).toBe('asked');
    respond = (context) =>
      encodes.length === 1
        ? Promise.reject(new Refusal('USER_NO_RIGHTS'))
        : Promise.resolve(encodeOf(context));
    live.confirm(row());
    await expect.poll(at).toBe('failed');
    live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect(encodes).toHaveLength(2);
  });

  // promise 4.tray.checks
  test('are not asked about again after the page was left', async () => {
    await show(trayOf(guid(80)));
    check = () => Promise.resolve(preflightNow(outside));
    const leave = live.hold();
    live.encode(row());
    await expect.poll(at).toBe('asked');
    respond = () => Promise.reject(new Refusal('USER_NO_RIGHTS'));
    live.confirm(row());
    await expect.poll(at).toBe('failed');
    for (const key of live.queue.state().jobs.keys()) live.queue.forget(key);
    leave();
    live = trays.open(guid(9));
    respond = (context) => Promise.resolve(encodeOf(context));
    live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect(encodes).toHaveLength(2);
  });

  // promise 4.tray.checks
  test('are asked about again for another file', async () => {
    await show(trayOf(guid(80)));
    check = () => Promise.resolve(preflightNow(outside));
    live.encode(row());
    await expect.poll(at).toBe('asked');
    live.confirm(row());
    await expect.poll(isIdle).toBe(true);
    await show(trayOf(guid(81)));
    live.encode(row());
    await expect.poll(at).toBe('asked');
    expect(encodes).toHaveLength(1);
  });

  // promise 4.tray.checks
  test('block it if something is red, and cannot be confirmed', async () => {
    await show(trayOf(guid(80)));
    check = () => Promise.resolve(preflightNow(missing, outside));
    live.encode(row());
    await expect.poll(at).toBe('blocked');
    live.confirm(row());
    expect([at(), preflights, encodes]).toEqual(['blocked', 1, []]);
    // the file was replaced on the device page
    await show(trayOf(guid(81)));
    expect(at()).toBe('ready');
  });

  // promise 4.tray.unchecked
  test('wait until the device page has saved its draft', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await show(trayOf(guid(80)));
    const { store, slotGUID } = openDevicePage();
    const { promise, reject } = Promise.withResolvers<void>();
    const before = answer;
    answer = (route, ...given) => (route === putEncodeDraft ? promise : before(route, ...given));
    store.dispatch({ type: 'checksum-switched', skips: true });
    live.encode(row());
    await expect.poll(at).toBe('queued');
    reject(new TypeError('Failed to fetch'));
    await expect.poll(() => live.queue.state().pausedFor).toBe('network');
    expect(preflights).toBe(0);
    answer = before;
    await vi.advanceTimersByTimeAsync(10_000);
    await expect.poll(isIdle).toBe(true);
    expect([preflights, encodes.length]).toEqual([1, 1]);
    await pages.forget(slotGUID);
  });

  // promise 4.tray.unchecked
  test('ignore a removed component that the read does not have', async () => {
    await show(trayOf(guid(80)));
    const answer = preflightNow();
    check = () => Promise.resolve({ ...answer, draft: { ...answer.draft, removed: ['obd'] } });
    live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect(encodes).toHaveLength(1);
  });

  // promise 4.tray.unchecked
  test.each([
    ['SERVICE_UNAVAILABLE', new Refusal('SERVICE_UNAVAILABLE'), 'service'],
    ['a lost connection', new TypeError('Failed to fetch'), 'network'],
    ['an internal error', new Refusal('GENERIC_ERROR'), 'service'],
  ] as const)('pause it after %s', async (_, thrown, reason) => {
    await show(trayOf(guid(80)));
    check = () => Promise.reject(thrown);
    live.encode(row());
    await expect.poll(() => live.queue.state().pausedFor).toBe(reason);
    expect(at()).toBe('queued');
    check = () => Promise.resolve(preflightNow(outside));
    live.queue.resume();
    await expect.poll(at).toBe('asked');
    expect(encodes).toEqual([]);
  });

  // promise 4.tray.unchecked
  test('fail after some attempts if only this file cannot be checked', async () => {
    await show(trayOf(guid(80)));
    check = () => Promise.reject(new Refusal('SERVICE_UNAVAILABLE'));
    live.encode(row());
    for (const attempt of [1, 2]) {
      await expect.poll(() => preflights).toBe(attempt);
      await expect.poll(() => live.queue.state().pausedFor).toBe('service');
      live.queue.resume();
    }
    await expect.poll(at).toBe('failed');
    expect([preflights, live.queue.state().pausedFor, encodes]).toEqual([3, null, []]);
  });

  // promise 4.tray.unchecked
  test('wait forever while the service is down', async () => {
    await show(trayOf(guid(80)));
    statusCode = 503;
    check = () => Promise.reject(new Refusal('SERVICE_UNAVAILABLE'));
    live.encode(row());
    for (const attempt of [1, 2, 3, 4]) {
      await expect.poll(() => preflights).toBe(attempt);
      await expect.poll(() => live.queue.state().pausedFor).toBe('service');
      expect(at()).toBe('queued');
      if (attempt === 4) check = () => Promise.resolve(preflightNow());
      queries.setQueryData(statusQuery.queryKey, { statusCode: 200 });
    }
    await expect.poll(isIdle).toBe(true);
    expect(encodes).toHaveLength(1);
  });

  // promise 4.tray.unchecked
  test('are those of the draft that the server has now', async () => {
    await show(trayOf(guid(80)));
    server = trayOf(guid(81));
    live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect([preflights, encodes]).toEqual([2, [expect.stringContaining(guid(81))]]);
  });

  // promise 4.tray.unchecked
  test('never let an encode start while they are about other files', async () => {
    await show(trayOf(guid(80)));
    check = () => Promise.resolve(preflightOf(guid(82)));
    live.encode(row());
    for (const attempt of [1, 2]) {
      await expect.poll(() => preflights).toBe(2 * attempt);
      await expect.poll(() => live.queue.state().pausedFor).toBe('service');
      live.queue.resume();
    }
    await expect.poll(at).toBe('failed');
    expect(encodes).toEqual([]);
  });

  // promise 4.tray.unchecked
  test('do not start it if its file was removed on its page in the meantime', async () => {
    await show(trayOf(guid(80)));
    check = () => {
      const answer = preflightNow();
      server = trayOf(null);
      return Promise.resolve(answer);
    };
    live.encode(row());
    await expect.poll(isIdle).toBe(true);
    expect([preflights, encodes]).toEqual([1, []]);
  });

  test.each(['removed', 'replaced'])('do not start it if its file was %s', async (what) => {
    await show(trayOf(guid(80)));
    const { promise, resolve } = Promise.withResolvers<PreflightAnswer>();
    check = () => promise;
    live.encode(row());
    await expect.poll(() => preflights).toBe(1);
    if (what === 'removed') await live.removeImage(row(), 'modified');
    else {
      uploaded = () => Promise.resolve();
      live.modify(row(), 'modified', new File(['x'], 'other.bin'));
    }
    resolve(preflightNow());
    await expect.poll(() => live.queue.unfinished()).toEqual([]);
    expect(encodes).toEqual([]);
  });

  test('do not start it if its file was removed while the draft was read for the last time', async () => {
    await show(trayOf(guid(80)));
    const { promise, resolve } = Promise.withResolvers<void>();
    let isAsked = false;
    const before = answer;
    answer = async (route, ...given) => {
      const response = await before(route, ...given);
      if (route === getEncodeDraft && !isAsked) {
        isAsked = true;
        // the server read the draft before the file was removed
        await promise;
      }
      return response;
    };
    live.encode(row());
    await expect.poll(() => isAsked).toBe(true);
    await live.removeImage(row(), 'modified');
    resolve();
    await expect.poll(() => live.queue.unfinished()).toEqual([]);
    expect([preflights, encodes]).toEqual([1, []]);
  });
});

test('the device page of this tab shows that a file was removed or replaced', async () => {
  await show(trayOf(guid(80)));
  const { slotGUID, modified } = openDevicePage();
  const before = answer;
  answer = async (route, ...given) => {
    const response = await before(route, ...given);
    if (route === putEncodeDraft) server = trayOf(null);
    return response;
  };
  await live.removeImage(row(), 'modified');
  expect(drafts).toEqual([expect.objectContaining({ files: { modified: null } })]);
  expect(modified()).toMatchObject({ at: 'ready' });
  uploaded = async () => {
    server = trayOf(guid(81));
    return Promise.resolve();
  };
  live.modify(row(), 'modified', new File(['x'], 'other.bin'));
  await expect.poll(isIdle).toBe(true);
  expect(modified()).toMatchObject({ at: 'complete', fileGUID: guid(81) });
  await pages.forget(slotGUID);
});

describe('a draft', () => {
  const bench = (removed: string[] | null, files: string[] = []): Tray => {
    const tray = trayOf(null);
    const stored = files.map((part) => ({
      part,
      fileGUID: guid(80),
      name: 'tune.bin',
      size: 4096,
      changes,
    }));
    return {
      ...tray,
      files: tray.files.map((file) => ({
        ...file,
        workflow: 'kess3' as const,
        decode: succeeded(bootBenchResult, { asyncOperationType: 'KESS3Decode' }),
        draft: { ...draftOf(null), files: stored, removed },
      })),
    };
  };
  const file = () => new File(['x'], 'tune.bin');
  /** The server's state after the saves. */
  const save = (): void => {
    server = bench(drafts.at(-1)?.removed ?? null);
  };

  test('keeps what was changed on another page while a file was uploaded', async () => {
    await show(bench(['EEPROM', 'Micro']));
    uploaded = async () => {
      // in the meantime, the user chooses another component and corrects the CVN
      server = bench(['EEPROM']);
      server = {
        ...server,
        files: server.files.map((one) => ({
          ...one,
          draft: { ...draftOf(null), removed: ['EEPROM'], willCorrectCVN: true },
        })),
      };
      return Promise.resolve();
    };
    live.modify(row(), 'EEPROM', file());
    await expect.poll(isIdle).toBe(true);
    expect(drafts).toEqual([{ files: {}, removed: [], version: 1 }]);
  });

  test('puts both components into the draft if their files arrive together', async () => {
    await show(bench(['EEPROM', 'Micro']));
    uploaded = () => Promise.resolve();
    const before = answer;
    let version = 1;
    answer = async (route, { body, ...given }, options) => {
      if (route === getEncodeDraft) return { changes: [], ...server.files[0]?.draft, version };
      if (route !== putEncodeDraft) return before(route, { body, ...given }, options);
      const change = body as EncodeDraftChange;
      // as the server does: both changed the same field
      if (change.version !== version) throw new Refusal('DRAFT_CHANGED');
      version += 1;
      drafts.push(change);
      save();
      return undefined;
    };
    live.modify(row(), 'EEPROM', file());
    live.modify(row(), 'Micro', file());
    await expect.poll(isIdle).toBe(true);
    expect(drafts.map(({ removed }) => removed)).toEqual([['Micro'], []]);
  });
});
