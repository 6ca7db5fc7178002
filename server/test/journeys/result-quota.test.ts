/**
 * The storage quota and the files that operations produce: space is reserved before they start, and freed afterward.
 */
import type { Slave } from '@recodery/codec/simulator/slave';
import type { Operation } from '@recodery/contract/features/operations';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { type OrganisationId, mintOrganisationId } from '../../src/organisations/caller.ts';
import { deleteExpiredFiles, insertStoredFiles } from '../../src/slots/files/stored-files.ts';
import type { Answer, Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import {
  decode,
  encode,
  keepImage,
  sealImage,
  started,
  uploadRead,
} from './families/kessv2-workflow.ts';

const gibibyte = 2 ** 30;
const imageBytes = 4 * 2 ** 20;
const image = new Uint8Array(imageBytes).fill(7);
/** More than sealing adds to an image, and more than the size of an ID file. */
const allowance = 2 ** 18;

let portal: RunningPortal;
let anna: Client;
let slave: Slave;
let organisationId: OrganisationId;
/** A small file with a large image. */
const read = () => sealImage(slave, 9000, image, { deflate: true });

beforeAll(async () => {
  portal = await startTestPortal({
    RECODERY_ORGANISATION_GIB: '1',
    RECODERY_PARALLEL_OPERATIONS: '50',
  });
  anna = await portal.signIn('anna@demo.test');
  slave = await portal.getSlave('kessv2', 'KV2-000007');
  const row = await portal.platform.db
    .selectFrom('organisation')
    .select('guid')
    .where('customer_code', '=', 'CC-1001')
    .executeTakeFirstOrThrow();
  organisationId = mintOrganisationId(row.guid);
});
afterAll(() => portal.stop());
afterEach(async () => {
  await portal.platform.db.deleteFrom('stored_file').where('name', '=', 'large.moc').execute();
  await portal.startWorker();
});

/** Bytes of the organisation's files, added up. */
async function sumFiles(): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::bigint as bytes from stored_file
    where organisation_guid = ${organisationId} and deleted_on is null`.execute(portal.platform.db);
  return rows[0]?.bytes ?? Number.NaN;
}

/** Leaves this many bytes of the organisation's quota: one large file uses the rest. */
async function leave(bytes: number, slotGuid: string): Promise<void> {
  await insertStoredFiles(portal.platform.db, [
    {
      guid: newGuid(),
      organisationId,
      slotGuid,
      role: 'encoded',
      component: null,
      name: 'large.moc',
      size: gibibyte - (await sumFiles()) - bytes,
      sha256: '0'.repeat(64),
      storageKey: `nothing/${newGuid()}`,
      retentionDays: 30,
    },
  ]);
}

const codeOf = ({ status, text }: Answer): string => (status === 400 ? text : String(status));
const countOperations = async (): Promise<number> =>
  (await portal.platform.db.selectFrom('operation').select('guid').execute()).length;
const again = (slotGuid: string) =>
  anna.post('/api/kessv2/reencode-decoded-file', { kessv2FileSlotGUID: slotGuid });

// promise d8.storage.quota
describe('the results of operations count against the storage quota', () => {
  test('starts only the concurrent encodes whose files fit', async () => {
    const { kessv2SlotGUID: slot } = await decode(anna, read());
    await leave(2 * (imageBytes + allowance), slot);
    // nothing has been stored when the last one is requested
    await portal.stopWorker();
    const answers = await Promise.all(Array.from({ length: 6 }, () => again(slot)));
    expect(answers.map(codeOf).toSorted()).toEqual([
      '202',
      '202',
      ...Array.from({ length: 4 }, () => 'STORAGE_QUOTA_REACHED'),
    ]);
    await portal.startWorker();
    for (const answer of answers.filter(({ status }) => status === 202)) {
      expect((await anna.follow(started(answer))).error).toBeNull();
    }
    expect(await sumFiles()).toBeLessThanOrEqual(gibibyte);
    expect(codeOf(await again(slot))).toBe('STORAGE_QUOTA_REACHED');
  });

  test('a small read is refused if its large image does not fit, and none of it remains stored', async () => {
    const { kessv2SlotGUID: slot } = await decode(anna, read());
    await leave(imageBytes, slot);
    const [before, sum] = [await countOperations(), await sumFiles()];
    expect(codeOf(await uploadRead(anna, read()))).toBe('STORAGE_QUOTA_REACHED');
    expect([await countOperations(), await sumFiles()]).toEqual([before, sum]);
    await portal.platform.db.deleteFrom('stored_file').where('name', '=', 'large.moc').execute();
    await decode(anna, read());
  });

  test('an encode that was refused starts with the same files when there is room again', async () => {
    const { kessv2SlotGUID: slot } = await decode(anna, read());
    const modified = new Uint8Array(image);
    modified[5] = 8;
    const { fileGUID } = await keepImage(anna, 'modified', slot, modified);
    await leave(imageBytes / 2, slot);
    const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    expect(codeOf(await anna.post('/api/kessv2/encode-file', body))).toBe('STORAGE_QUOTA_REACHED');
    await portal.platform.db
      .updateTable('stored_file')
      .set({ expires_on: sql`now()` })
      .where('name', '=', 'large.moc')
      .execute();
    await deleteExpiredFiles(portal.platform.db, 100);
    await encode(anna, body);
  });

  test('a result that no longer fits when it is ready fails the operation, and keeps its read file', async () => {
    const { kessv2SlotGUID: slot } = await decode(anna, read());
    await portal.stopWorker();
    const operation = started(await uploadRead(anna, read()));
    await leave(imageBytes / 2, slot);
    await portal.startWorker();
    const ended: Operation = await anna.follow(operation);
    expect(ended.error).toMatchObject({ errorName: 'STORAGE_QUOTA_REACHED' });
    const files = await portal.platform.db
      .selectFrom('stored_file')
      .select(['role', 'deleted_on'])
      .where('slot_guid', '=', operation.slotGUID ?? '')
      .execute();
    expect(files).toEqual([{ role: 'read', deleted_on: null }]);
    expect(await sumFiles()).toBeLessThanOrEqual(gibibyte);
  });

  test('a restore kit that replaces an older one needs no more room than it frees', async () => {
    const { kessv2SlotGUID: slot } = await decode(anna, read());
    const kitOf = async () => ((await anna.get(`/api/jobs/${slot}`)).json as Job).restoreKit;
    const prepare = () => anna.post(`/api/jobs/${slot}/restore-kit`);
    expect((await prepare()).status).toBe(200);
    await expect.poll(async () => (await kitOf()).state).toBe('ready');
    const { fileGUID: first } = await kitOf();
    expect((await anna.follow(started(await again(slot)))).error).toBeNull();
    expect((await kitOf()).state).toBe('outdated');
    await portal.stopWorker();
    expect((await prepare()).status).toBe(200);
    await leave(imageBytes / 2, slot);
    await portal.startWorker();
    await expect.poll(async () => (await kitOf()).state).toBe('ready');
    expect((await kitOf()).fileGUID).not.toBe(first);
    expect(await sumFiles()).toBeLessThanOrEqual(gibibyte);
  });

  test('the sum in the database is that of the files, however they were added and deleted', async () => {
    const { kessv2SlotGUID: slot } = await decode(anna, read());
    await leave(100, slot);
    const { db } = portal.platform;
    const readSum = async () => {
      const rows = db.selectFrom('organisation').select('stored_bytes');
      return (await rows.where('guid', '=', organisationId).executeTakeFirstOrThrow()).stored_bytes;
    };
    expect([await readSum(), await sumFiles()]).toEqual([gibibyte - 100, gibibyte - 100]);
    await db.deleteFrom('stored_file').where('name', '=', 'large.moc').execute();
    expect(await readSum()).toBe(await sumFiles());
    await db.deleteFrom('slot').where('guid', '=', slot).execute();
    expect(await readSum()).toBe(await sumFiles());
    const marks = db.updateTable('stored_file').where('organisation_guid', '=', organisationId);
    await marks.set({ deleted_on: sql`now()` }).execute();
    await marks.set({ name: 'another name' }).execute();
    expect(await readSum()).toBe(0);
  });
});
