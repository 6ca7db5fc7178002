/** Which queries wait for a connection in use, and for how long, before another one is opened. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shareConnections } from '../../src/postgres/share-connections.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Three queries that begin with these connections of a pool of four; returns the numbers of those that may continue. */
async function start(counts: { totalCount: number; idleCount: number; waitingCount: number }) {
  const sharing = shareConnections(counts, 4);
  const continued: number[] = [];
  for (const number of [1, 2, 3]) void sharing.wait().then(() => continued.push(number));
  await vi.advanceTimersByTimeAsync(0);
  return { continued, returned: sharing.returned };
}

test.each([
  ['no connection is open', { totalCount: 0, idleCount: 0, waitingCount: 0 }],
  ['one is free', { totalCount: 2, idleCount: 1, waitingCount: 0 }],
  ['the pool itself lets them wait', { totalCount: 4, idleCount: 0, waitingCount: 2 }],
])('no query waits when %s', async (_when, counts) => {
  const { continued } = await start(counts);
  expect(continued).toEqual([1, 2, 3]);
});

test('a free connection that another query is about to take does not count', async () => {
  const { continued } = await start({ totalCount: 2, idleCount: 1, waitingCount: 1 });
  expect(continued).toEqual([]);
});

test('a connection that is returned is for the first query that waits', async () => {
  const { continued, returned } = await start({ totalCount: 1, idleCount: 0, waitingCount: 0 });
  expect(continued).toEqual([]);
  returned();
  await vi.advanceTimersByTimeAsync(0);
  expect(continued).toEqual([1]);
});

test('without one, another connection is opened after 5 ms, one at a time', async () => {
  const { continued } = await start({ totalCount: 1, idleCount: 0, waitingCount: 0 });
  await vi.advanceTimersByTimeAsync(5);
  expect(continued).toEqual([1]);
  await vi.advanceTimersByTimeAsync(4);
  expect(continued).toEqual([1]);
  await vi.advanceTimersByTimeAsync(6);
  expect(continued).toEqual([1, 2, 3]);
});
