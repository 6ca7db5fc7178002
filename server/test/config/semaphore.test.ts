/** The semaphore: how many enter at once, in total and of each group, and how long the others wait. */
import { describe, expect, test } from 'vitest';
import { createSemaphore, type Semaphore } from '../../src/config/semaphore.ts';

const never = new AbortController().signal;

/** Work that runs until it is told to finish; `entered` lists its groups in the order in which they began. */
function observe(semaphore: Semaphore) {
  const entered: string[] = [];
  const begin = (key: string, signal = never) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = semaphore.enter(key, signal).then(async (leave) => {
      if (leave === null) return;
      entered.push(key);
      await promise;
      leave();
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

describe('a semaphore', () => {
  test('lets no group take all places', async () => {
    const { entered, begin } = observe(createSemaphore({ total: 2, atOnce: 1 }));
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
    const { entered, begin } = observe(createSemaphore({ total: 2, atOnce: 1 }));
    const [one, two, three] = [begin('one'), begin('two'), begin('three')];
    await settle();
    expect(entered).toEqual(['one', 'two']);
    await one.end();
    await settle();
    expect(entered).toEqual(['one', 'two', 'three']);
    await two.end();
    await three.end();
  });

  test('frees the place of work that is aborted while it waits', async () => {
    const { entered, begin } = observe(createSemaphore({ total: 1, atOnce: 1 }));
    const first = begin('one');
    const abort = new AbortController();
    const second = begin('two', abort.signal);
    abort.abort(new Error('it is over'));
    await expect(second.done).rejects.toThrow('it is over');
    await expect(begin('two', abort.signal).done).rejects.toThrow('it is over');
    await first.end();
    await begin('three').end();
    expect(entered).toEqual(['one', 'three']);
  });

  test('refuses those who would wait too long, or be too many of their group', async () => {
    const semaphore = createSemaphore({ atOnce: 1, waitMs: 0, mostWaiting: 1 });
    const leave = await semaphore.enter('one');
    const late = semaphore.enter('one');
    expect(await semaphore.enter('one')).toBeNull();
    expect(await semaphore.enter('two')).not.toBeNull();
    expect(await late).toBeNull();
    leave?.();
    // a place that was left twice is still one place
    leave?.();
    expect(await semaphore.enter('one')).not.toBeNull();
    expect(await semaphore.enter('one')).toBeNull();
  });
});
