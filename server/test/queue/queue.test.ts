/** The loop that all queues share, with rows in memory: limits, wake-ups, failures and stopping. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../fixtures/silent-log.ts';
import { type Announce, openAnnounce } from '../../src/postgres/announce.ts';
import {
  type Claim,
  leaseLost,
  type Queue,
  startQueue,
  workerEnds,
} from '../../src/queue/queue.ts';
import { createTestDatabase, type TestDatabase } from '../fixtures/database/test-database.ts';

let database: TestDatabase;
let announce: Announce;
let due: Claim[];
let stops: (() => Promise<void>)[];
beforeAll(async () => {
  database = await createTestDatabase();
  announce = await openAnnounce(database.url, silentLog);
});
beforeEach(() => {
  due = [];
  stops = [];
});
afterEach(() => Promise.all(stops.map((stop) => stop())));
afterAll(async () => {
  await announce.stop();
  await database.drop();
});

/** Longer than any test waits, in milliseconds: a timer that is not under test. */
const never = 3_600_000;

/** Starts a queue on `due`; returns its log and a function that stops it. */
function start(parts: Partial<Queue<Claim>> & Pick<Queue<Claim>, 'run'>) {
  const logged: string[] = [];
  const write = (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg);
  const { stop } = startQueue(
    { log: pino({}, { write }), announce },
    {
      noun: 'parcel',
      due: 'mail-due',
      pollMs: never,
      atOnce: 2,
      drainMs: 0,
      claim: async (count) => due.splice(0, count),
      ...parts,
    },
  );
  stops.push(stop);
  return { logged, stop };
}

const parcel = (guid: string, attempt = 1): Claim => ({ guid, attempt });
const announceDue = () =>
  announce.notify(database.db, { kind: 'mail-due', guid: null, organisation: null });

describe('a queue', () => {
  test('runs no more rows in parallel than allowed, and then claims the next', async () => {
    due = ['a', 'b', 'c', 'd', 'e'].map((guid) => parcel(guid));
    const runs: { readonly guid: string; readonly end: () => void }[] = [];
    start({
      run: ({ guid }) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        runs.push({ guid, end: resolve });
        return promise;
      },
    });
    await expect.poll(() => runs.length).toBe(2);
    expect(due).toHaveLength(3);
    runs[0]?.end();
    await expect.poll(() => runs.map(({ guid }) => guid)).toEqual(['a', 'b', 'c']);
    expect(due).toHaveLength(2);
    for (const { end } of runs) end();
    await expect.poll(() => runs.length).toBe(5);
    for (const { end } of runs) end();
  });

  test('claims the next when a row leaves its place, and at most one for each that is ending', async () => {
    due = ['a', 'b', 'c', 'd'].map((guid) => parcel(guid));
    const runs: { readonly guid: string; readonly end: () => void; readonly leave: () => void }[] =
      [];
    const contexts: unknown[] = [];
    const context = new AsyncLocalStorage<string>();
    start({
      atOnce: 1,
      run: ({ guid }, _signal, leave) => {
        contexts.push(context.getStore());
        const { promise, resolve } = Promise.withResolvers<void>();
        return context.run(guid, () => {
          runs.push({ guid, end: resolve, leave: () => context.run(guid, leave) });
          return promise;
        });
      },
    });
    const guids = () => runs.map(({ guid }) => guid);
    await expect.poll(guids).toEqual(['a']);
    runs[0]?.leave();
    await expect.poll(guids).toEqual(['a', 'b']);
    runs[1]?.leave();
    await announceDue();
    runs[0]?.end();
    await expect.poll(guids).toEqual(['a', 'b', 'c']);
    expect(due).toHaveLength(1);
    for (const { end } of runs) end();
    await expect.poll(guids).toEqual(['a', 'b', 'c', 'd']);
    for (const { end } of runs) end();
    // a trace of one attempt does not contain the next one
    expect(contexts).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('wakes when a row is announced', async () => {
    const runs: string[] = [];
    const claims: number[] = [];
    start({
      claim: async (count) => {
        claims.push(count);
        return due.splice(0, count);
      },
      run: async ({ guid }) => void runs.push(guid),
    });
    await expect.poll(() => claims).toEqual([2]);
    due = [parcel('a')];
    await announceDue();
    await expect.poll(() => runs).toEqual(['a']);
  });

  test('continues after a failed claim and after a result that could not be recorded', async () => {
    const runs: string[] = [];
    let claims = 0;
    const { logged } = start({
      pollMs: 10,
      claim: async (count) => {
        claims += 1;
        if (claims === 1) throw new Error('the database is unavailable');
        return due.splice(0, count);
      },
      run: async ({ guid }) => {
        runs.push(guid);
        if (guid === 'a') throw new Error('the database is unavailable again');
      },
    });
    due = [parcel('a'), parcel('b')];
    await expect.poll(() => runs).toEqual(['a', 'b']);
    expect(logged).toEqual([
      'could not claim due rows',
      'could not record the result of an attempt',
    ]);
  });

  test('aborts an attempt whose lease was not renewed, and one that it claims again', async () => {
    due = [parcel('kept'), parcel('lost'), parcel('again')];
    const signals = new Map<string, AbortSignal>();
    start({
      atOnce: 4,
      renewal: { everyMs: 10, renew: async () => new Set(['kept', 'again']) },
      run: ({ guid, attempt }, signal) => {
        signals.set(`${guid} ${attempt}`, signal);
        const { promise, resolve } = Promise.withResolvers<void>();
        signal.addEventListener('abort', () => resolve());
        return promise;
      },
    });
    await expect.poll(() => signals.get('lost 1')?.reason).toBe(leaseLost);
    expect(signals.get('again 1')?.aborted).toBe(false);
    due = [parcel('again', 2)];
    await announceDue();
    await expect.poll(() => signals.get('again 1')?.reason).toBe(leaseLost);
    expect(signals.get('again 2')?.aborted).toBe(false);
    expect(signals.get('kept 1')?.aborted).toBe(false);
  });
});

describe('a queue that is stopped', () => {
  test('waits for running rows and claims no more', async () => {
    due = [parcel('a')];
    const [entered, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let wasAborted: boolean | null = null;
    const { logged, stop } = start({
      drainMs: never,
      run: async (_row, signal, leave) => {
        leave();
        entered.resolve();
        await go.promise;
        wasAborted = signal.aborted;
      },
    });
    await entered.promise;
    due = [parcel('b')];
    const stopped = stop();
    await expect.poll(() => logged).toEqual(['waiting for 1 running parcel']);
    go.resolve();
    await stopped;
    expect(wasAborted).toBe(false);
    expect(due).toEqual([parcel('b')]);
  });

  test('aborts what does not finish in time, and waits until it is released', async () => {
    due = [parcel('a')];
    const entered = Promise.withResolvers<void>();
    const reasons: unknown[] = [];
    const { stop } = start({
      run: (_row, signal) => {
        entered.resolve();
        const { promise, resolve } = Promise.withResolvers<void>();
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          resolve();
        });
        return promise;
      },
    });
    await entered.promise;
    await stop();
    expect(reasons).toEqual([workerEnds]);
  });
});
