/** A part of the page that cannot be loaded is requested again. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadPart } from '../src/ui/loading/load-part.ts';
import { beBrowser } from './api/browser.ts';

let stop: AbortController;
/** The seconds at which the part was requested, and at which the user was asked to reload the page. */
let requested: number[];
let asked: number[];
let isServed: boolean;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  beBrowser('http://portal.test');
  vi.stubGlobal('navigator', { onLine: true });
  stop = new AbortController();
  requested = [];
  asked = [];
  isServed = false;
});
afterEach(() => {
  stop.abort();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const now = () => Date.now() / 1000;
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

/** Begins to load a part. Returns what has become of it. */
function begin(): () => string {
  let outcome = 'waiting';
  const load = async (): Promise<string> => {
    requested.push(now());
    if (!isServed) throw new TypeError('Failed to fetch dynamically imported module');
    return 'the part';
  };
  loadPart(load, stop.signal, () => asked.push(now())).then(
    (part) => (outcome = part ?? 'given up'),
    () => (outcome = 'failed'),
  );
  return () => outcome;
}

test('every few seconds until it is loaded', async () => {
  const outcome = begin();
  await seconds(8);
  expect(outcome()).toBe('waiting');
  isServed = true;
  await seconds(4);
  expect(outcome()).toBe('the part');
  expect(requested).toEqual([0, 4, 8, 12]);
  expect(asked).toEqual([]);
});

test('and after several failures the user is asked once to reload the page', async () => {
  begin();
  await seconds(140);
  expect(requested).toEqual([0, 4, 8, 12, 16, 76, 136]);
  vi.stubGlobal('navigator', { onLine: false });
  await seconds(120);
  dispatchEvent(new Event('online'));
  await seconds(120);
  expect(asked).toEqual([16]);
});

test('as soon as the browser is online, and not before', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  begin();
  await seconds(60);
  expect(requested).toEqual([0]);
  vi.stubGlobal('navigator', { onLine: true });
  dispatchEvent(new Event('online'));
  await seconds(2);
  expect(requested).toEqual([0, 60]);
  dispatchEvent(new Event('online'));
  await seconds(0);
  expect(requested).toEqual([0, 60, 62]);
  expect(asked).toEqual([]);
});

test('but not after it is no longer shown', async () => {
  const outcome = begin();
  await seconds(1);
  stop.abort();
  await seconds(120);
  expect(outcome()).toBe('given up');
  expect(requested).toEqual([0]);
});
