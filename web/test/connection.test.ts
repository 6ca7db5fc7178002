/** When the page checks whether the portal responds. */
import { listOperations } from '@recodery/contract/features/operations';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from '../src/api/call.ts';
import { watchConnection } from '../src/features/service-status/connection.ts';
import { type ScriptedPortal, scriptedPortal } from './api/scripted-portal.ts';

const status = '/api/maestro-checkup/status';
const operations = '/api/operations';
const lost = new TypeError('Failed to fetch');

let portal: ScriptedPortal;
let queries: QueryClient;
let stop: () => void;
beforeEach(async () => {
  portal = await scriptedPortal(true);
  vi.stubGlobal('window', globalThis);
  queries = new QueryClient();
  stop = watchConnection(queries);
  portal.answer(status, { statusCode: 200 });
  portal.answer(operations, []);
});
afterEach(() => {
  stop();
  portal.stop();
});

/** Sends a request, and waits for everything that does not depend on timers. */
async function send(signal?: AbortSignal): Promise<void> {
  await call(listOperations, {}, { signal }).catch(() => null);
  await vi.advanceTimersByTimeAsync(0);
}

test('a request without a response is followed by a check immediately, although the stream seems to be up', async () => {
  await send();
  expect(portal.askedAt(status)).toEqual([]);
  portal.answer(operations, lost);
  await send();
  expect(portal.askedAt(status)).toEqual([0]);
});

test('while the portal does not respond, it is checked every 2 s, regardless of what else fails', async () => {
  portal.answer(operations, lost);
  portal.answer(status, lost);
  await Promise.all([send(), send()]);
  await send();
  await vi.advanceTimersByTimeAsync(4000);
  await send();
  expect(portal.askedAt(status)).toEqual([0, 2, 4]);
  portal.answer(status, { statusCode: 200 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(portal.askedAt(status)).toEqual([0, 2, 4, 6]);
});

test('a refusal is a response, and a request that the page has aborted is ignored', async () => {
  portal.answer(operations, 503);
  await send();
  portal.answer(operations, lost);
  await send(AbortSignal.abort());
  expect(portal.askedAt(status)).toEqual([]);
});

/** A panel on the page that shows a list, or why it could not be loaded. */
function showList() {
  const observer = new QueryObserver(queries, {
    queryKey: ['list'],
    queryFn: () => call(listOperations, {}),
    retry: false,
    networkMode: 'always',
  });
  return { now: () => observer.getCurrentResult().status, close: observer.subscribe(() => {}) };
}

// promise d10.page.reconnected
test('once the portal responds again, what could not be loaded meanwhile is requested again', async () => {
  portal.answer(operations, lost);
  portal.answer(status, lost);
  const list = showList();
  await vi.advanceTimersByTimeAsync(1000);
  expect(list.now()).toBe('error');
  portal.answer(status, { statusCode: 200 });
  portal.answer(operations, []);
  await vi.advanceTimersByTimeAsync(2000);
  expect(list.now()).toBe('success');
  list.close();
});

test('a list that never gets a response is not requested endlessly while the portal responds', async () => {
  portal.answer(operations, lost);
  const list = showList();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(list.now()).toBe('error');
  expect(portal.askedAt(operations)).toEqual([0]);
  list.close();
});
