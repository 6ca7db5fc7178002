/** Memory that operations use one after the other. */

import { describe, expect, test } from 'vitest';
import { CodecError } from '../src/errors.ts';
import { kessv2 } from '../src/families/kessv2.ts';
import { makeWorkspace } from '../src/workspace.ts';
import { noise, sealedRead, slaveOf } from './slaves.ts';

const mebibyte = 1024 * 1024;

describe('a workspace', () => {
  test('returns pieces that do not overlap, and the same ones again after a reset', () => {
    const { allocate, reset } = makeWorkspace();
    const first = allocate(100).fill(1);
    const second = allocate(100).fill(2);
    const large = allocate(200 * mebibyte);
    expect(first.every((byte) => byte === 1)).toBe(true);
    expect(large.length).toBe(200 * mebibyte);
    expect(large.buffer).not.toBe(first.buffer);
    reset();
    const again = allocate(50);
    expect([again.buffer, again.byteOffset]).toEqual([first.buffer, first.byteOffset]);
    expect(second.byteOffset % 4).toBe(0);
  });

  test('returns the same decode result as fresh memory', () => {
    const { pairKey } = slaveOf('kessv2');
    const image = noise(100_000);
    const file = sealedRead('kessv2', [{ name: 'obd', bytes: image }]);
    const input = { file, pairKey, skipChecksum: false };
    const { allocate } = makeWorkspace();
    const fresh = kessv2.decode(input);
    expect(kessv2.decode({ ...input, allocate })).toEqual(fresh);
    expect(kessv2.decode({ ...input, file: Buffer.from(file), mayOverwriteFile: true })).toEqual(
      fresh,
    );
  });
});

describe('a decode in place', () => {
  const { pairKey } = slaveOf('kessv2');
  const image = Buffer.from(noise(20_000));
  const file = sealedRead('kessv2', [{ name: 'obd', bytes: image }], { segmentLog2: 12 });
  const input = { pairKey, skipChecksum: false };

  test('leaves the file unchanged by default', () => {
    const kept = Buffer.from(file);
    kessv2.decode({ ...input, file: kept });
    expect(kept.equals(file)).toBe(true);
    kessv2.decode({ ...input, file: kept, mayOverwriteFile: true });
    expect(kept.equals(file)).toBe(false);
  });

  // promise c.format.nothing-early
  test('leaves nothing of the payload behind if a late segment is damaged', () => {
    const damaged = Buffer.from(file);
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    expect(() => kessv2.decode({ ...input, file: damaged, mayOverwriteFile: true })).toThrow(
      CodecError,
    );
    expect(damaged.includes(image.subarray(4096, 4128))).toBe(false);
    expect(damaged.includes(image.subarray(18_000, 18_032))).toBe(false);
  });
});
