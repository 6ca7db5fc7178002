/** Files that the sweep removes or leaves: expired ones, bytes without a row, and the library of originals. */
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { sweep } from '../../src/upkeep/sweep.ts';
import { newGuid } from '../../src/config/guids.ts';
import { deleteExpiredFiles } from '../../src/slots/files/stored-files.ts';
import { findOriginal, putOriginal } from '../../src/recoding/originals/originals.ts';
import { waitedFor } from '../fixtures/database/until-blocked.ts';
import { sealImage, started, uploadRead } from '../journeys/families/kessv2-workflow.ts';
import { startSwept, nothing } from './swept-workshop.ts';

const { portal, anna, store, dependencies, sweepNow, decodeOne, age, keysOf, stored } =
  await startSwept();

describe('an expired file', () => {
  const keep = async (slot: string, isKept: boolean) => {
    expect((await anna.put(`/api/jobs/${slot}/keep`, { isKept })).status).toBe(204);
  };

  test('stays when a user keeps its job while expired files are deleted', async () => {
    const { db } = portal.platform;
    const { kessv2SlotGUID: slot, decodedFileURL } = await decodeOne();
    await age(slot, '31 days');
    const deleted = await db.connection().execute(async (own) => {
      // the statement of this connection waits after it has started, and before it locks a row
      await sql`
        create temp view operation as select * from public.operation
        where (select pg_advisory_xact_lock_shared(1) is not null)`.execute(own);
      const { deleting } = await db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(1)`.execute(trx);
        const deleting = deleteExpiredFiles(own, 200);
        await waitedFor(trx);
        await keep(slot, true);
        return { deleting };
      });
      const count = await deleting;
      await sql`drop view pg_temp.operation`.execute(own);
      return count;
    });
    expect(deleted).toBe(0);
    expect((await anna.get(decodedFileURL ?? '')).status).toBe(200);
    await keep(slot, false);
  });

  test('stays while a transaction that keeps its job has not ended', async () => {
    const { db } = portal.platform;
    const { kessv2SlotGUID: slot, decodedFileURL } = await decodeOne();
    await age(slot, '31 days');
    await db.transaction().execute(async (trx) => {
      await sql`update slot set is_kept = true where guid = ${slot}`.execute(trx);
      expect(await deleteExpiredFiles(db, 200)).toBe(0);
    });
    expect((await anna.get(decodedFileURL ?? '')).status).toBe(200);
    await keep(slot, false);
  });
});

describe('orphaned bytes', () => {
  const pathOf = (key: string) => join(fileURLToPath(portal.platform.config.storageUrl), key);

  /** Makes a file in the storage that many minutes older. */
  async function ageFile(path: string, hours: number): Promise<void> {
    const time = new Date((await stat(path)).mtimeMs - hours * 3_600_000);
    await utimes(path, time, time);
  }

  /** Puts a file into the storage that is more than a day old. */
  async function storeObject(key: string, hours = 25): Promise<string> {
    await store.storage.put(key, oneByte());
    await ageFile(pathOf(key), hours);
    return key;
  }

  test('are deleted after a day if an upload or an attempt left them behind', async () => {
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const answer = await uploadRead(anna, sealImage(slave, 9000, new Uint8Array(1024)));
    const operation = await anna.follow(started(answer));
    const strays = [
      await storeObject(`uploads/${newGuid()}/${newGuid()}`),
      await storeObject(`${newGuid()}/1/encoded`),
      // an earlier attempt of a finished operation
      await storeObject(`${operation.guid}/7/obd.bin`),
    ];
    const kept = [
      await storeObject(`uploads/${newGuid()}/${newGuid()}`, 23),
      await storeObject(`originals/${newGuid()}`),
      await storeObject(`${newGuid()}/notes`),
      ...(await keysOf(operation.slotGUID ?? '')),
    ];
    for (const key of kept.slice(3)) await storeObject(key);
    expect(await sweepNow()).toEqual({ ...nothing, strays: 3 });
    expect(await stored(strays)).toEqual([]);
    expect(await stored(kept)).toEqual(kept);
  });

  test('are deleted after a day if an upload was cut off while it was written', async () => {
    const [dead, living] = ['.aside/dead', '.aside/living'].map(pathOf);
    for (const path of [dead, living]) await writeFile(path ?? '', 'half');
    await ageFile(dead ?? '', 25);
    await ageFile(living ?? '', 23);
    expect(await sweepNow()).toEqual({ ...nothing, strays: 1 });
    expect(await readdir(pathOf('.aside'))).toEqual(['living']);
    await rm(living ?? '');
  });

  test('are compared with the clock that dates them', async () => {
    const key = await storeObject(`uploads/${newGuid()}/${newGuid()}`, 0);
    const ahead = (date: Date): Date => new Date(date.getTime() + 25 * 3_600_000);
    // a store whose clock is 25 hours ahead of ours: its new objects have timestamps in the future
    const head = async (name: string) => {
      const found = await store.storage.head(name);
      return found && { ...found, modifiedOn: ahead(found.modifiedOn) };
    };
    await sweep({ ...dependencies(), storage: { ...store.storage, head } });
    expect(await stored([key])).toEqual([]);
  });

  test('stay until the operation of their attempt has finished', async () => {
    const { db } = portal.platform;
    const { kessv2SlotGUID: slot } = await decodeOne();
    const { guid } = await db
      .updateTable('operation')
      .set({ status: 'running', lease_until: sql<Date>`now() + interval '1 day'` })
      .where('slot_guid', '=', slot)
      .returning('guid')
      .executeTakeFirstOrThrow();
    const key = await storeObject(`${guid}/2/obd.bin`);
    expect(await sweepNow()).toEqual(nothing);
    await db.updateTable('operation').set({ status: 'failed' }).where('guid', '=', guid).execute();
    expect(await sweepNow()).toEqual({ ...nothing, strays: 1 });
    expect(await stored([key])).toEqual([]);
  });
});

test('the library of originals is never swept', async () => {
  const storageKey = `originals/${newGuid()}`;
  const question = { protocolId: 1002, hardware: 'HW old', software: 'SW old' };
  const written = await store.storage.put(storageKey, oneByte());
  await putOriginal(portal.platform.db, { ...question, name: 'old.bin', storageKey, ...written });
  const time = new Date('2001-01-01');
  const path = join(fileURLToPath(portal.platform.config.storageUrl), storageKey);
  await utimes(path, time, time);
  await sql`update original set added_on = '2001-01-01'`.execute(portal.platform.db);
  expect(await sweepNow(10)).toEqual(nothing);
  expect(await findOriginal(portal.platform.db, question)).not.toBeNull();
  expect(await stored([storageKey])).toEqual([storageKey]);
});

async function* oneByte(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
}
