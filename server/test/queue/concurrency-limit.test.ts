/** The concurrency limit: how much runs at once, in total and for each key. */
import { describe, expect, test } from 'vitest';
import {
  createConcurrencyLimit,
  type ConcurrencyLimit,
} from '../../src/queue/concurrency-limit.ts';

const never = new AbortController().signal;

/** Work that runs until it is told to finish; `entered` lists its keys in the order in which they began. */
function observe(limit: ConcurrencyLimit) {
  const entered: string[] = [];
  const begin = (key: string, signal = never) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = limit(key, signal, () => {
      entered.push(key);
      return promise;
    });
    return {
      done,
      end: async () => {
        resolve();
        await done;
      },
    };
  };
  return { entered, begin };
}

/** Waits until everything that can run is running. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a limit', () => {
  test('lets no key take all places', async () => {
    const { entered, begin } = observe(createConcurrencyLimit({ total: 2, perKey: 1 }));
    const slow = [begin('slow'), begin('slow'), begin('slow')];
    const other = begin('other');
    await settle();
    expect(entered).toEqual(['slow', 'other']);
    await other.end();
    const last = begin('other');
    await settle();
    expect(entered).toEqual(['slow', 'other', 'other']);
    await last.end();
    for (const one of slow) await one.end();
    expect(entered.filter((key) => key === 'slow')).toHaveLength(3);
  });

  test('runs no more at once than its total', async () => {
    const { entered, begin } = observe(createConcurrencyLimit({ total: 2, perKey: 1 }));
    const [one, two, three] = [begin('one'), begin('two'), begin('three')];
    await settle();
    expect(entered).toEqual(['one', 'two']);
    await one.end();
    await settle();
    expect(entered).toEqual(['one', 'two', 'three']);
    await two.end();
    await three.end();
  });

  test('frees the place of work that is aborted while it waits, and of work that fails', async () => {
    const limit = createConcurrencyLimit({ total: 1, perKey: 1 });
    const { entered, begin } = observe(limit);
    const first = begin('one');
    const abort = new AbortController();
    const second = begin('two', abort.signal);
    abort.abort(new Error('it is over'));
    await expect(second.done).rejects.toThrow('it is over');
    await expect(begin('two', abort.signal).done).rejects.toThrow('it is over');
    await first.end();
    await expect(
      limit('two', never, () => Promise.reject(new Error('it failed'))),
    ).rejects.toThrow();
    await begin('three').end();
    expect(entered).toEqual(['one', 'three']);
  });
});
