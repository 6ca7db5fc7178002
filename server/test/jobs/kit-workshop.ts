/** A workshop with restore kits: the shared steps of their tests. */
import { randomBytes } from 'node:crypto';
import { acceptEncoded, type Slave } from '@recodery/codec/simulator/slave';
import type { RestoreKit } from '@recodery/contract/features/jobs/job-history';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { afterAll, expect } from 'vitest';
import type { Db } from '../../src/postgres/tables/schema.ts';
import type { VerifiedStorage } from '../../src/storage/verified-storage.ts';
import { startTestPortal } from '../fixtures/running-portal.ts';
import { decode, sealImage } from '../journeys/families/kessv2-workflow.ts';

export const serial = 'KV2-000007';

export interface KitDependencies {
  readonly db: Db;
  readonly storage: Pick<VerifiedStorage, 'head'>;
  readonly retentionDays: number;
}

export async function startKits() {
  const portal = await startTestPortal({ RECODERY_RESTORE_KITS: 'on' });
  afterAll(() => portal.stop());
  const [anna, stranger] = await Promise.all([
    portal.signIn('anna@demo.test'),
    portal.signIn('luca@demo.test'),
  ]);
  async function decodeImage(otherwise: Parameters<typeof sealImage>[3] = {}) {
    const slave = await portal.getSlave('kessv2', serial);
    const image = new Uint8Array(randomBytes(4096));
    const { kessv2SlotGUID: slot } = await decode(anna, sealImage(slave, 9000, image, otherwise));
    return { slot, image };
  }
  async function kitOf(slot: string): Promise<RestoreKit> {
    const answer = await anna.get(`/api/jobs/${slot}`);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return (answer.json as Job).restoreKit;
  }
  function readEncoded(slave: Slave, file: Uint8Array) {
    const { components, header } = acceptEncoded({ ...slave, file });
    if (header.number === null) throw new Error('the file has no number');
    return { components, number: header.number };
  }
  async function ready(slot: string): Promise<void> {
    await expect.poll(async () => (await kitOf(slot)).state).toBe('ready');
  }
  /** What the slave writes, and the number of the file: the slave refuses numbers that are not above the last one. */
  async function write(slot: string) {
    const { fileGUID } = await kitOf(slot);
    const file = await anna.get(`/api/files/${fileGUID}`);
    expect(file.status).toBe(200);
    const slave = await portal.getSlave('kessv2', serial);
    return readEncoded(slave, file.bytes);
  }
  return { portal, anna, stranger, decodeImage, kitOf, readEncoded, ready, write };
}
