/** The header of an uploaded file, from its first bytes that were kept in memory. */
import { randomBytes, randomUUID } from 'node:crypto';
import { sealRead } from '@recodery/codec/simulator/slave';
import { expect, test, vi } from 'vitest';
import { findSlaveForRead } from '../../src/organisations/openers.ts';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { findHeader, findReadKeys } from '../../src/recoding/read-header.ts';
import type { Secrets } from '../../src/secrets/secrets.ts';
import type { VerifiedStorage } from '../../src/storage/verified-storage.ts';

vi.mock('../../src/organisations/openers.ts', { spy: true });

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

test.each([
  ['the bytes that this process has received', 'uploads/here', 0],
  ['the storage if another process has received them', 'uploads/elsewhere', 1],
])('finds the keys of a read with the header in %s', async (_name, storageKey, times) => {
  vi.mocked(findSlaveForRead).mockResolvedValue('unknown-slave');
  const peek = vi.fn<VerifiedStorage['peek']>(async (_, count) => read.subarray(0, count));
  await findHeader({ peek }, { ...file, storageKey: 'uploads/here' }, 'kessv2', read);
  const job = {
    organisationId: mintOrganisationId(randomUUID()),
    workflow: 'kessv2',
    groupCode: '',
    read: { ...file, storageKey, name: 'read.tfc' },
  } as const;
  const keys = findReadKeys(
    { db: {} as Db, storage: { peek }, secrets: { getKey: vi.fn<Secrets['getKey']>() } },
    job,
  );
  await expect(keys).rejects.toMatchObject({ internalCode: 'TOOL_NOT_FOUND' });
  const asked = expect.objectContaining({ slaveSerial: 'KV2-000007' });
  expect(findSlaveForRead).toHaveBeenLastCalledWith(expect.anything(), job.organisationId, asked);
  expect(peek).toHaveBeenCalledTimes(times);
});
