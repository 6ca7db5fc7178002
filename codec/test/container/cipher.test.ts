/** Expected values of the keys. */

import { expect, test } from 'vitest';
import { toHex } from '../../src/container/bytes.ts';
import { deriveFileKey, derivePairKey, isSameMac } from '../../src/container/cipher.ts';
import { rising } from '../slaves.ts';

const masterSecret = rising(0x00, 32);
const fileSalt = rising(0xa0, 32);
const pairKey = derivePairKey(masterSecret, 'kess3', 'M-0001', 'KS3-000042', 1);

// promise c.format.known-keys
test('derives the expected pair key', () => {
  expect(toHex(pairKey)).toBe('43d78a952a4db649c7ed26ef4246b6ed3a2fad8d9d193bce9f33bae94c2f4f1d');
});

// promise c.format.known-keys
test('derives the expected header key and payload key', () => {
  const place = { fileSalt, family: 3, kind: 1 };
  expect(toHex(deriveFileKey(pairKey, 'header', place))).toBe(
    'b5d526b71ceb9c3d1d7578ac46319c242fcd32255b1e3d9855ecb93b160d2343',
  );
  expect(toHex(deriveFileKey(pairKey, 'payload', place))).toBe(
    'b9c33a2a61d07c40c46b32866cd33df98781c5cd068effc2ee531e0ba171b05e',
  );
});

test('derives a different key if any input changes', () => {
  const others = [
    derivePairKey(masterSecret, 'ktag', 'M-0001', 'KS3-000042', 1),
    derivePairKey(masterSecret, 'kess3', 'M-0002', 'KS3-000042', 1),
    derivePairKey(masterSecret, 'kess3', 'M-0001', 'KS3-000043', 1),
    derivePairKey(masterSecret, 'kess3', 'M-0001', 'KS3-000042', 2),
    // The same letters, split differently.
    derivePairKey(masterSecret, 'kess3', 'M-0001K', 'S3-000042', 1),
    derivePairKey(rising(0x01, 32), 'kess3', 'M-0001', 'KS3-000042', 1),
  ];
  expect(new Set([pairKey, ...others].map(toHex)).size).toBe(others.length + 1);
});

test('MACs are equal only if all bytes and the length are equal', () => {
  const mac = rising(0, 32);
  const other = mac.with(31, 0);
  expect(isSameMac(mac, rising(0, 32))).toBe(true);
  expect(isSameMac(mac, other)).toBe(false);
  expect(isSameMac(mac, mac.subarray(0, 31))).toBe(false);
});
