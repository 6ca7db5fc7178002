/** A full storage: old replaced versions make room, but never one that someone may still use. */
import { randomBytes } from 'node:crypto';
import { generateImage } from '@recodery/codec/sample-images/images';
import type { Job, StorageSettings } from '@recodery/contract/features/jobs/jobs';
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { readStorageUse } from '../../src/organisations/storage-quota.ts';
import { insertStoredFiles } from '../../src/slots/files/stored-files.ts';
import type { Answer, Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, encode, protocolOf, sealImage } from '../journeys/families/kessv2-workflow.ts';

const gibibyte = 2 ** 30;
const image = generateImage(protocolOf(9000), 'obd', 1, 64 * 1024);

let portal: RunningPortal;
let anna: Client;
let slot: string;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_ORGANISATION_GIB: '1' });
  anna = await portal.signIn('anna@demo.test');
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  slot = (await decode(anna, sealImage(slave, 9000, image))).kessv2SlotGUID;
});
afterAll(() => portal.stop());

function upload(seed: number): Promise<Answer> {
  const path = `/api/kessv2/upload-modified-file/${slot}`;
  return anna.upload('PUT', path, { field: 'modifiedFile', bytes: image.with(seed, 7) });
}

async function keep(seed: number): Promise<string> {
  const answer = await upload(seed);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.json as UploadedFile).fileGUID;
}

async function job(): Promise<Job> {
  return (await anna.get(`/api/jobs/${slot}`)).json as Job;
}

/** Changes when files were replaced, to this many days ago. */
async function age(days: number, ...guids: readonly string[]): Promise<void> {
  await sql`update stored_file set replaced_on = now() - make_interval(days => ${days})
    where guid = any(${guids}::uuid[])`.execute(portal.platform.db);
}

/** Leaves this many bytes to the organisation. */
async function leave(bytes: number): Promise<void> {
  const { db } = portal.platform;
  await sql`delete from stored_file where name = 'large.moc'`.execute(db);
  const row = await db
    .selectFrom('slot')
    .select('organisation_guid')
    .where('guid', '=', slot)
    .executeTakeFirstOrThrow();
  const organisationId = mintOrganisationId(row.organisation_guid);
  await insertStoredFiles(db, [
    {
      guid: newGuid(),
      organisationId,
      slotGuid: slot,
      role: 'encoded',
      component: null,
      name: 'large.moc',
      size: gibibyte - (await readStorageUse(db, organisationId)).usedBytes - bytes,
      sha256: '0'.repeat(64),
      storageKey: `nothing/${randomBytes(8).toString('hex')}`,
      retentionDays: 30,
    },
  ]);
}

// promise d8.storage.room, j1.storage.spare
test('makes room with the oldest versions that no one uses, and refuses an upload otherwise', async () => {
  const encoded = await keep(1);
  await encode(anna, { kessv2FileSlotGUID: slot, modifiedFileGUID: encoded });
  const [oldest, older, recent, current] = [
    await keep(2),
    await keep(3),
    await keep(4),
    await keep(5),
  ];
  await age(5, encoded);
  await age(4, oldest);
  await age(3, older);
  await leave(1000);
  const settings = (await anna.get('/api/storage-settings')).json as StorageSettings;
  expect(settings.spareBytes).toBe(2 * image.length);

  // a kept job keeps all of its versions
  await anna.put(`/api/jobs/${slot}/keep`, { isKept: true });
  expect((await upload(6)).text).toBe('STORAGE_QUOTA_REACHED');
  await anna.put(`/api/jobs/${slot}/keep`, { isKept: false });

  const fresh = await keep(7);
  const after = new Map((await job()).files.map((file) => [file.fileGUID, file]));
  expect([after.get(oldest)?.isThere, after.get(oldest)?.madeRoom]).toEqual([false, true]);
  for (const guid of [encoded, older, recent, current, fresh])
    expect([after.get(guid)?.isThere, after.get(guid)?.madeRoom]).toEqual([true, false]);

  // the draft of a page may be refused a version that made room, but never silently
  await leave(1000);
  await keep(8);
  await leave(1000);
  const refused = await upload(9);
  expect([refused.status, refused.text]).toEqual([400, 'STORAGE_QUOTA_REACHED']);
  const end = new Map((await job()).files.map((file) => [file.fileGUID, file.isThere]));
  expect([encoded, older, recent, current].map((guid) => end.get(guid))).toEqual([
    true,
    false,
    true,
    true,
  ]);
});
