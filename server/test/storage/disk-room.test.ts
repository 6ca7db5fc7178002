/** The free space of disks, and how much of it is kept. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { bytesToKeep, freeShareOf, hasRoom, measureDisk } from '../../src/storage/disk-room.ts';

const gib = 2 ** 30;

test('the free space of a disk is at most its size', async () => {
  const { free, total } = await measureDisk(tmpdir());
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThanOrEqual(total);
});

test.runIf(existsSync('/proc/self'))('a disk without a size is never full', async () => {
  const [none, own] = [await measureDisk('/proc'), await measureDisk(tmpdir())];
  const { leastFree } = readConfig({});
  expect(hasRoom(none, leastFree)).toBe(true);
  expect(freeShareOf([none])).toBe(1);
  expect(freeShareOf([none, own])).toBe(own.free / own.total);
});

// promise d8.storage.free
test.each([
  ['a small disk keeps 5%', {}, 100 * gib, 5 * gib],
  ['a large disk keeps 20 GiB', {}, 2000 * gib, 20 * gib],
  ['an operator can keep more', { RECODERY_FREE_SPACE_GIB: '80' }, 2000 * gib, 80 * gib],
  ['an operator can keep less', { RECODERY_FREE_SPACE_GIB: '1' }, 100 * gib, gib],
])('%s', (_, settings, total, kept) => {
  const { leastFree } = readConfig(settings);
  expect(bytesToKeep({ free: 0, total }, leastFree)).toBe(kept);
  expect(hasRoom({ free: kept, total }, leastFree)).toBe(true);
  expect(hasRoom({ free: kept - 1, total }, leastFree)).toBe(false);
});
