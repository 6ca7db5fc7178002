/** Modified files that had not arrived when the browser left a tray: each is noted in its draft, whatever overlaps. */
import {
  type EncodeDraftChange,
  getEncodeDraft,
  putEncodeDraft,
} from '@recodery/contract/features/slots';
import { getTray } from '@recodery/contract/features/trays';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { loadPage } from '../../src/features/recoding/families/registry.ts';
import { keepLost, type LostUpload } from '../../src/features/trays/lost-uploads.ts';
import { fetchTray } from '../../src/features/trays/tray-query.ts';
import { beBrowser } from '../api/browser.ts';
import { callsTo } from '../api/calls-to.ts';
import { guid } from '../recoding/results.ts';

/** The slots in whose drafts the server has noted a lost file, in order. */
let noted: string[];
/** The slots whose drafts cannot be requested. */
let unreachable: ReadonlySet<string>;

const slotOf = (params: unknown): string => (params as { slotGUID: string }).slotGUID;

const call = callsTo(async (route, { params, body }) => {
  if (route === getEncodeDraft) {
    const slotGUID = slotOf(params);
    if (unreachable.has(slotGUID)) throw new TypeError('Failed to fetch');
    const refused = noted.includes(slotGUID) ? [{ part: 'modified' }] : [];
    return { slotGUID, files: [], refused, version: 1 };
  }
  if (route === putEncodeDraft) {
    const { refused = {} } = body as EncodeDraftChange;
    if ('modified' in refused) noted.push(slotOf(params));
    return {};
  }
  if (route !== getTray) throw new Error(`unexpected request ${route.path}`);
  return { guid: guid(9), files: [] };
});

const showTray = () => fetchTray({ call, loadPage }, guid(9));

const note = { name: 'tune.bin', size: 4096, errorCode: 'UPLOAD_FAILED', details: null };
const lostIn = (slotGUID: string): LostUpload => ({
  ...{ slotGUID, part: 'modified', before: null, note },
});

/** A page with uploads to these slots, which the browser leaves; returns how it is restored. */
function leave(...slots: readonly string[]): () => void {
  const end = keepLost(() => slots.map(lostIn));
  dispatchEvent(new Event('pagehide'));
  onTestFinished(end);
  return () => dispatchEvent(new Event('pageshow'));
}

/** Leaves a page as {@link leave}, and does not restore it. */
function leaveForGood(...slots: readonly string[]): void {
  const end = keepLost(() => slots.map(lostIn));
  dispatchEvent(new Event('pagehide'));
  end();
}

const [first, second, third] = [guid(51), guid(52), guid(53)] as const;

beforeEach(() => {
  beBrowser('http://127.0.0.1');
  noted = [];
  unreachable = new Set();
});

test('notes every lost file once when a tray is requested twice and the network fails meanwhile', async () => {
  leaveForGood(first, second, third);
  unreachable = new Set([second]);
  const ended = await Promise.allSettled([showTray(), showTray()]);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  unreachable = new Set();
  await showTray();
  expect(noted).toEqual([first, second, third]);
});

test('still notes the lost files of an earlier page after the browser has restored a later one', async () => {
  leaveForGood(first, second);
  const restore = leave(third);
  restore();
  await showTray();
  expect(noted).toEqual([first, second]);
});

test('notes the file of a page that the browser leaves again', async () => {
  const restore = leave(first);
  restore();
  dispatchEvent(new Event('pagehide'));
  await showTray();
  expect(noted).toEqual([first]);
});
