/** A live tray with one read, whose server the test answers. */
import type { Workflow } from '@recodery/contract/families/registry';
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
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
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
import { guid, kessv2Result, operation, succeeded } from '../recoding/results.ts';

const kessv2 = await loadPage('kessv2');

/** The tab that shows the tray, and the server that it talks to. Each test begins with new ones. */
interface Tab {
  answer: Respond;
  /** The behavior of an upload once its bytes have arrived. */
  uploaded: () => Promise<unknown>;
  queries: QueryClient;
  pages: LivePages;
  trays: LiveTrays;
  live: LiveTray;
  server: Tray;
  encodes: string[];
  preflights: number;
  statusCode: 200 | 503;
  /** The drafts that were saved. */
  drafts: EncodeDraftChange[];
  /** The service's response to an encode. */
  respond: (context: string) => Promise<Operation>;
  /** The service's response to a request for the checks. */
  check: (signal: AbortSignal | undefined) => Promise<PreflightAnswer>;
}
export const tab = {} as Tab;

export const changes = { bytes: 2, regions: 1, size: 4096, fraction: 0.1, spans: [] };
export const draftOf = (fileGUID: string | null) => ({
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

export function trayOf(fileGUID: string | null, encode: Operation | null = null, places = 3): Tray {
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

/** The families' pages, whose encodes and uploads the test answers. */
async function loadTestPage(workflow: Workflow): Promise<FamilyPage> {
  return {
    ...(await loadPage(workflow)),
    encode: ({ contextData }) => {
      tab.encodes.push(contextData);
      return tab.respond(contextData);
    },
    uploadPart: async () => {
      await tab.uploaded();
      return { fileGUID: guid(99), changes: null };
    },
  };
}

export const show = async (tray: Tray): Promise<void> => {
  tab.server = tray;
  await tab.trays.show(tray);
};
export const row = () => {
  const loaded = tab.queries.getQueryData(tab.trays.queryOf(guid(9)).queryKey);
  const [first] = loaded === undefined ? [] : currentRows(loaded, tab.live);
  if (first === undefined) throw new Error('there is no row');
  return first;
};
/** The device page of the read in the tray, which shows the draft that the server has. */
export function openDevicePage() {
  const key = { page: kessv2, customerCode: 'C-1', device: 'M-1' };
  const decoded = succeeded(kessv2Result);
  const read = kessv2.readOf(decoded);
  const draft = tab.server.files[0]?.draft;
  if (!draft) throw new Error('there is no draft');
  const stored = { ...draft, slotGUID: read.slotGUID, version: 1, changes: [] };
  const slot = { read, draft: stored, encoded: [] };
  const { store } = tab.pages.open(key, { operation: decoded, readFile: null, slot }, decoded.guid);
  const modified = (): PartState | undefined => {
    const flow = store.now();
    return flow.at === 'decoded' ? flow.encode.inputs.parts['modified'] : undefined;
  };
  return { store, slotGUID: read.slotGUID, modified };
}
export const encodeOf = (context: string): Operation =>
  operation({ guid: guid(30), asyncOperationType: 'KESSv2Encode', contextData: context });

/** The checks for a draft with this modified file. */
export function preflightOf(fileGUID: string, ...checks: PreflightCheck[]): PreflightAnswer {
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
export const preflightNow = (...checks: PreflightCheck[]): PreflightAnswer =>
  preflightOf(tab.server.files[0]?.draft?.files[0]?.fileGUID ?? '', ...checks);

/** Prepares a new tab for each test of the file that calls it. */
export function useNewTabs(): void {
  beforeAll(async () => {
    beBrowser('http://127.0.0.1:9');
    Object.defineProperty(globalThis, 'window', { value: globalThis, configurable: true });
    await startTexts(null);
  });
  beforeEach(() => {
    vi.stubGlobal('addEventListener', vi.fn<() => void>());
    vi.stubGlobal('removeEventListener', vi.fn<() => void>());
    tab.queries = new QueryClient();
    files += 1;
    tab.encodes = [];
    tab.respond = (context) => Promise.resolve(encodeOf(context));
    tab.preflights = 0;
    tab.statusCode = 200;
    tab.drafts = [];
    tab.check = () => Promise.resolve(preflightNow());
    tab.uploaded = () => Promise.reject(new Error('nothing is uploaded'));
    tab.answer = (route, { body }, options) => {
      if (route === getServiceStatus) return Promise.resolve({ statusCode: tab.statusCode });
      if (route === getTray) return Promise.resolve(tab.server);
      if (route === getEncodeDraft)
        return Promise.resolve({ version: 1, changes: [], ...tab.server.files[0]?.draft });
      if (route === putEncodeDraft) {
        // the type of the route's body
        tab.drafts.push(body as EncodeDraftChange);
        return Promise.resolve(undefined);
      }
      if (route === preflightRoutes.kessv2) {
        tab.preflights += 1;
        return tab.check(options?.signal);
      }
      return Promise.reject(new Error(`not expected: ${route.path}`));
    };
    const call = callsTo((...given) => tab.answer(...given));
    // the test answers what the route returns
    const upload = (() => tab.uploaded()) as typeof Upload;
    const work = new Work(call, tab.queries);
    tab.pages = livePagesOf(work);
    tab.trays = new LiveTrays(work, { upload, loadPage: loadTestPage });
    tab.live = tab.trays.open(guid(9));
  });
  afterEach(() => {
    tab.queries.clear();
    vi.unstubAllGlobals();
  });
}

export const isIdle = () => tab.live.queue.state().jobs.size === 0;
