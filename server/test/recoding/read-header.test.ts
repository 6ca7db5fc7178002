/** The header of an uploaded file, from its first bytes that were kept in memory. */
import { randomBytes } from 'node:crypto';
import { sealRead } from '@recodery/codec/simulator/slave';
import { expect, test, vi } from 'vitest';
import { findHeader } from '../../src/recoding/read-header.ts';
import type { VerifiedStorage } from '../../src/storage/verified-storage.ts';

const read = sealRead({
  family: 'kessv2',
  pairKey: randomBytes(32),
  keyId: 1,
  masterSerial: 'MASTER-1',
  slaveSerial: 'KV2-000007',
  protocolId: 1001,
  mode: 'obd',
  components: [{ name: 'obd', bytes: randomBytes(2000) }],
  information: {},
  identificationOnly: false,
  readId: randomBytes(16),
  fileSalt: randomBytes(32),
});

const file = { storageKey: 'uploads/read', size: read.length, sha256: '' };

test.each([
  ['from the bytes that were kept', read.length, 0],
  ['from the storage if it is longer than those', 100, 1],
  ['from the storage if none were kept', undefined, 1],
])('is read %s', async (_name, kept, times) => {
  const peek = vi.fn<VerifiedStorage['peek']>(async (_, count) => read.subarray(0, count));
  const known = kept === undefined ? undefined : read.subarray(0, kept);
  const header = await findHeader({ peek }, file, 'kessv2', known);
  expect(header?.slaveSerialNumber).toBe('KV2-000007');
  expect(peek).toHaveBeenCalledTimes(times);
});
