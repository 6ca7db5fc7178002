/** A worker that is killed after a maker's service has opened or sealed a file, and before the result is stored. */
import { randomBytes } from 'node:crypto';
import type { Operation } from '@recodery/contract/features/operations';
import { typesOf } from '@recodery/contract/families/registry';
import { doFilesExpire } from '@recodery/contract/families/sealing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { type FakeService, startFakeService } from '../fixtures/makes/fake-service.ts';
import { addMake } from '../fixtures/makes/make-portal.ts';
import type { Make } from '../../src/demo/doubles/make.ts';
import { allMakes, makes } from '../../src/demo/doubles/makes.ts';
import { type RecoderyProcess, startRecodery } from '../fixtures/recodery-process.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { untilBlocked } from '../fixtures/until-blocked.ts';
import { started } from '../journeys/kessv2-workflow.ts';

/**
 * A make whose files expire, one whose files do not, and one that seals image by image: what is stored, and how many
 * responses a kill can fall between, differs only in this.
 */
const oneOfEach: readonly Make[] = [makes.autotuner, makes.bflash, makes.flex];
/** `npm run release-check` sets the variable. */
const tried = process.env['RECODERY_LONG_TESTS'] === 'on' ? allMakes : oneOfEach;

describe.each(tried)('$family:', (make) => {
  const { family } = make;
  const types = typesOf(family);
  const secret = randomBytes(32).toString('hex');
  let service: FakeService;
  let portal: RunningPortal;
  let anna: Client;
  let worker: RecoderyProcess;

  const startWorker = (): Promise<RecoderyProcess> =>
    startRecodery(portal.platform, { RECODERY_SECRET: secret, RECODERY_ROLES: 'worker' });

  beforeAll(async () => {
    service = await startFakeService(make);
    portal = await startTestPortal({ RECODERY_SECRET: secret }, false);
    await addMake(portal.platform, service);
    anna = await portal.signIn('anna@demo.test');
    worker = await startWorker();
  });
  afterAll(async () => {
    await worker.kill();
    await portal.stop();
    await service.stop();
  });

  /** Starts an operation, and kills its worker where it stores what the service has returned. Another one ends it. */
  async function runKilled(start: () => Promise<Operation>, what: string): Promise<Operation> {
    return anna.follow(await killDuring(start, what));
  }

  async function killDuring<T>(start: () => Promise<T>, what: string): Promise<T> {
    const { db } = portal.platform;
    const arrived = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    service.onRequest = () => {
      service.onRequest = null;
      arrived.resolve();
      return locked.promise;
    };
    const begun = await start();
    await arrived.promise;
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('slot').selectAll().forUpdate().execute();
      locked.resolve();
      await untilBlocked(db, what);
      await worker.kill();
    });
    worker = await startWorker();
    return begun;
  }

  /** What is stored of a slot. */
  async function rowsOf(slotGUID: string) {
    const { db } = portal.platform;
    const files = db.selectFrom('stored_file').select('role').where('slot_guid', '=', slotGUID);
    const operations = db.selectFrom('operation').where('slot_guid', '=', slotGUID);
    return {
      files: (await files.orderBy('role').execute()).map(({ role }) => role),
      operations: await operations.select(['type', 'status']).orderBy('created_on').execute(),
      notifications: (
        await db
          .selectFrom('notification')
          .select('guid')
          .where('slot_guid', '=', slotGUID)
          .execute()
      ).length,
      receipts: (await db.selectFrom('receipt').select('code').execute()).length,
    };
  }

  // promise e3.makes.killed
  test('a worker killed between the response and storing it leaves exactly one result', async () => {
    const image = randomBytes(4096);
    const bytes = make.seal('Golf', image);
    const decoded = await runKilled(async () => {
      const file = { field: 'readFile', bytes, name: 'golf' };
      return started(await anna.upload('POST', `/api/${family}/upload-read-file`, file));
    }, '"slot"');
    expect(decoded.error).toBeNull();
    const { slotGUID, decodedFileURL } = decoded.result as unknown as Record<string, string>;
    if (slotGUID === undefined || decodedFileURL === undefined) throw new Error('nothing decoded');
    expect(image.equals((await anna.get(decodedFileURL)).bytes)).toBe(true);
    const decode = { type: types.decode, status: 'succeeded' };
    expect(await rowsOf(slotGUID)).toMatchObject({
      files: ['decoded', 'read'],
      operations: [decode],
      receipts: 0,
    });

    const encoded = await runKilled(
      async () => started(await anna.post(`/api/${family}/encode-file`, { slotGUID, files: {} })),
      'lock_end',
    );
    expect(encoded.error).toBeNull();
    const { encodedFileURL, fileGUID } = encoded.result as unknown as Record<string, string>;
    expect(make.open((await anna.get(String(encodedFileURL))).bytes)).toEqual({
      slave: 'Golf',
      image,
    });
    const encode = { type: types.encode, status: 'succeeded' };
    const plain = doFilesExpire(family) ? ['plain'] : [];
    expect(await rowsOf(slotGUID)).toMatchObject({
      files: ['decoded', 'encoded', ...plain, 'read'],
      operations: [decode, encode],
      receipts: 1,
    });
    // each was asked for twice, and nothing was kept of the first response
    expect(service.requests).toEqual(['decode', 'decode', 'encode', 'encode']);

    if (!doFilesExpire(family)) return;
    const path = `/api/files/${fileGUID}/sealing`;
    await sql`update operation set result = jsonb_set(result, '{sealedOn}', '"2020-01-01T00:00:00.000Z"')
      where guid = ${encoded.guid}`.execute(portal.platform.db);
    await killDuring(async () => {
      expect((await anna.post(path)).json).toMatchObject({ state: 'sealing' });
    }, 'lock_end');
    await expect
      .poll(async () => (await anna.get(path)).json, { timeout: 60_000 })
      .toMatchObject({ state: 'fresh' });
    expect(await rowsOf(slotGUID)).toMatchObject({
      files: ['decoded', 'encoded', 'encoded', 'plain', 'read'],
      operations: [decode, encode, encode],
      receipts: 2,
    });
    expect(service.requests.slice(4)).toEqual(['encode', 'encode']);
  }, 120_000);
});
