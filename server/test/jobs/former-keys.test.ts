/** Files of jobs whose slave has got a new key since: the slave refuses them once the key is written to it. */
import { randomBytes } from 'node:crypto';
import { acceptEncoded } from '@recodery/codec/simulator/slave';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSlaveBySerial } from '../../src/organisations/devices.ts';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { renewKeyOf } from '../../src/organisations/renew-slave-key.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, encode, sealImage, started } from '../journeys/families/kessv2-workflow.ts';

const serial = 'KV2-000007';
let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_RESTORE_KITS: 'on' });
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

/** The GUID of a job whose read the slave has sealed with the key that it has now. */
async function decodeRead(): Promise<string> {
  const slave = await portal.getSlave('kessv2', serial);
  const read = sealImage(slave, 9000, new Uint8Array(randomBytes(4096)));
  const { kessv2SlotGUID: slot } = await decode(anna, read);
  await expect.poll(async () => (await jobOf(slot)).restoreKit.state).toBe('ready');
  return slot;
}

async function jobOf(slot: string): Promise<Job> {
  const { status, json } = await anna.get(`/api/jobs/${slot}`);
  expect(status).toBe(200);
  return json as Job;
}

/** Whether the encoded file of a job is marked in it, and in the address for its download. */
async function marksOf(slot: string): Promise<readonly unknown[]> {
  const { files } = await jobOf(slot);
  const file = files.find(({ role }) => role === 'encoded');
  const { json } = await anna.post(`/api/files/${file?.fileGUID}/ticket`);
  return [file?.hasFormerKey, (json as { hasFormerKey?: boolean }).hasFormerKey];
}

const apply = (slave: { serial: string; remove?: true }) =>
  applyDirectory(portal.platform, {
    organisations: [
      {
        customerCode: 'CC-1001',
        groupCodes: [
          { code: 'G-10', masters: [{ family: 'kessv2', serial: 'KV2-M-0001', slaves: [slave] }] },
        ],
      },
    ],
  });

test('a job from before the new key has no restore kit and no further encode, and its encoded file has a warning', async () => {
  const slot = await decodeRead();
  const again = { kessv2FileSlotGUID: slot };
  await encode(anna, again, 'reencode-decoded-file');
  expect(await marksOf(slot)).toEqual([false, false]);

  const found = await findSlaveBySerial(portal.platform.db, 'kessv2', serial);
  await renewKeyOf(portal.platform, found?.slave.guid ?? '');
  const refused = { state: 'impossible', reason: 'FORMER_KEY', fileGUID: null, fileName: null };
  expect((await jobOf(slot)).restoreKit).toEqual(refused);
  expect((await anna.post(`/api/jobs/${slot}/restore-kit`)).status).toBe(400);
  expect(await marksOf(slot)).toEqual([true, true]);
  const encoding = started(await anna.post('/api/kessv2/reencode-decoded-file', again));
  const { status, error } = await anna.follow(encoding);
  expect([status, error?.cause]).toEqual(['failed', 'REVOKED_KEY']);

  // a job with the new key
  const next = await decodeRead();
  const { fileGUID } = (await jobOf(next)).restoreKit;
  const kit = await anna.get(`/api/files/${fileGUID}`);
  const slave = await portal.getSlave('kessv2', serial);
  expect(acceptEncoded({ ...slave, file: kit.bytes }).components).toHaveLength(1);
  await encode(anna, { kessv2FileSlotGUID: next }, 'reencode-decoded-file');
  expect(await marksOf(next)).toEqual([false, false]);

  // when it is added again, it is another record with another key
  await apply({ serial, remove: true });
  await apply({ serial });
  expect((await jobOf(next)).restoreKit).toEqual(refused);
  expect(await marksOf(next)).toEqual([true, true]);
});
