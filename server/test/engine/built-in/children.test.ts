/** The number of engine processes stays the same, also when some of them could not be started. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EngineChild } from '../../../src/engine/built-in/child.ts';
import { keepChildren } from '../../../src/engine/built-in/children.ts';

/** A process that lives until it is killed, and works on nothing. */
async function startIdle(): Promise<EngineChild> {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-child-'));
  const gone = Promise.withResolvers<void>();
  let isUsable = true;
  return {
    folder,
    ready: Promise.resolve(),
    gone: gone.promise,
    run: () => Promise.reject(new Error('it works on nothing')),
    isUsable: () => isUsable,
    isSwollen: () => false,
    kill() {
      isUsable = false;
      gone.resolve();
    },
  };
}

// promise d8.engine.replaced
test('a process that cannot be started, because the disk is full, is started when there is room again', async () => {
  let full = 0;
  const children = await keepChildren(1, async () => {
    if (full === 0) return startIdle();
    full -= 1;
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  const use = async (organisation: string) => {
    const child = await children.take(organisation, undefined);
    children.handBack(child);
    return child;
  };
  const first = await use('a');
  full = 2;
  // each of these needs a process that no other organisation has used
  const others = [await use('b'), await use('c'), await use('d'), await use('e')];
  expect(new Set([first, ...others]).size).toBe(5);
  expect(full).toBe(0);
  await children.close();
});
