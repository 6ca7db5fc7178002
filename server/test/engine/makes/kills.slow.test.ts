/** A worker that is killed before, during and after the request with which a maker's service opens or seals a file. */
import { randomBytes } from 'node:crypto';
import type { Operation } from '@recodery/contract/features/operations';
import { typesOf } from '@recodery/contract/families/registry';
import { doFilesExpire } from '@recodery/contract/families/sealing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../fixtures/client.ts';
import { type FakeService, startFakeService } from '../../fixtures/makes/fake-service.ts';
import { addMake } from '../../fixtures/makes/make-portal.ts';
import { allMakes, makes } from '../../../src/demo/doubles/makes.ts';
import { type RecoderyProcess, startRecodery } from '../../fixtures/recodery-process.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { untilBlocked } from '../../fixtures/database/until-blocked.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';

/** `npm run release-check` sets the variable, which kills the worker of each make at each moment. */
const isLong = process.env['RECODERY_LONG_TESTS'] === 'on';
/** In each run, the make whose files expire, which are sealed again: it has the most steps. */
const tried = isLong ? allMakes : [makes.autotuner];

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

  /** Starts an operation, and kills its worker at this moment. Another one ends it. */
  async function runKilled(moment: Moment, start: () => Promise<Operation>, stores: string) {
    return anna.follow(await killAt(moment, start, stores));
  }

  /** `stores`: part of the query that stores what the service has returned. */
  async function killAt<T>(moment: Moment, start: () => Promise<T>, stores: string): Promise<T> {
    const begun = await moments[moment](start, stores);
    // another worker would wait until the claim of the killed one expires
    await sql`update operation set lease_until = now() where status = 'running'`.execute(
      portal.platform.db,
    );
    worker = await startWorker();
    return begun;
  }

  /** Holds the next request until the returned function is called. */
  function holdRequest() {
    const arrived = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<void>();
    service.onRequest = () => {
      service.onRequest = null;
      arrived.resolve();
      return promise;
    };
    return { arrived: arrived.promise, answer: resolve };
  }

  const moments = {
    /** The worker has claimed the operation, and reads the credentials of the service. */
    'before its request': async <T>(start: () => Promise<T>) => {
      const { db } = portal.platform;
      // the portal reads the locked table too
      worker.child.kill('SIGSTOP');
      const begun = await start();
      await db.transaction().execute(async (trx) => {
        await sql`lock table wrapped_key in access exclusive mode`.execute(trx);
        worker.child.kill('SIGCONT');
        await untilBlocked(db, 'from "engine_connection" where "guid"');
        await worker.kill();
      });
      return begun;
    },
    'while the service works': async <T>(start: () => Promise<T>) => {
      const { arrived, answer } = holdRequest();
      const begun = await start();
      await arrived;
      await worker.kill();
      answer();
      return begun;
    },
    'between the response and storing it': async <T>(start: () => Promise<T>, stores: string) => {
      const { db } = portal.platform;
      const { arrived, answer } = holdRequest();
      const begun = await start();
      await arrived;
      await db.transaction().execute(async (trx) => {
        await trx.selectFrom('slot').selectAll().forUpdate().execute();
        answer();
        await untilBlocked(db, stores);
        await worker.kill();
      });
      return begun;
    },
  };
  type Moment = keyof typeof moments;
  const allMoments = Object.keys(moments) as Moment[];
  /** The moments of the kills while it decodes, encodes and seals again. */
  type Kills = readonly [Moment, Moment, Moment];
  // in each run, another moment in each step
  const triedKills: readonly (readonly [string, Kills])[] = isLong
    ? allMoments.map((moment) => [moment, [moment, moment, moment]])
    : [
        [
          'at another moment of each step',
          ['before its request', 'while the service works', 'between the response and storing it'],
        ],
      ];

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
      receipts: (
        await db.selectFrom('receipt').select('code').where('slot_guid', '=', slotGUID).execute()
      ).length,
    };
  }

  const decode = { type: types.decode, status: 'succeeded' };
  const encode = { type: types.encode, status: 'succeeded' };

  async function decodeKilled(moment: Moment, image: Buffer) {
    const file = { field: 'readFile', bytes: make.seal('Golf', image), name: 'golf' };
    const path = `/api/${family}/upload-read-file`;
    const start = async () => started(await anna.upload('POST', path, file));
    const { error, result } = await runKilled(moment, start, '"slot"');
    expect(error).toBeNull();
    const { slotGUID, decodedFileURL } = result as unknown as Record<string, string>;
    if (slotGUID === undefined || decodedFileURL === undefined) throw new Error('nothing decoded');
    expect(image.equals((await anna.get(decodedFileURL)).bytes)).toBe(true);
    expect(await rowsOf(slotGUID)).toMatchObject({
      files: ['decoded', 'read'],
      operations: [decode],
      receipts: 0,
    });
    return slotGUID;
  }

  async function encodeKilled(moment: Moment, slotGUID: string, image: Buffer) {
    const body = { slotGUID, files: {} };
    const start = async () => started(await anna.post(`/api/${family}/encode-file`, body));
    const { guid, error, result } = await runKilled(moment, start, 'lock_end');
    expect(error).toBeNull();
    const { encodedFileURL, fileGUID } = result as unknown as Record<string, string>;
    const { bytes } = await anna.get(String(encodedFileURL));
    expect(make.open(bytes)).toEqual({ slave: 'Golf', image });
    const plain = doFilesExpire(family) ? ['plain'] : [];
    expect(await rowsOf(slotGUID)).toMatchObject({
      files: ['decoded', 'encoded', ...plain, 'read'],
      operations: [decode, encode],
      receipts: 1,
    });
    return { guid, fileGUID };
  }

  /** Seals an encoded file again whose time is over. */
  async function sealAgainKilled(
    moment: Moment,
    slotGUID: string,
    { guid, fileGUID }: Awaited<ReturnType<typeof encodeKilled>>,
  ) {
    const path = `/api/files/${fileGUID}/sealing`;
    await sql`update operation set result = jsonb_set(result, '{sealedOn}', '"2020-01-01T00:00:00.000Z"')
      where guid = ${guid}`.execute(portal.platform.db);
    const start = async () =>
      expect((await anna.post(path)).json).toMatchObject({ state: 'sealing' });
    await killAt(moment, start, 'lock_end');
    await expect
      .poll(async () => (await anna.get(path)).json, { timeout: 60_000 })
      .toMatchObject({ state: 'fresh' });
    expect(await rowsOf(slotGUID)).toMatchObject({
      files: ['decoded', 'encoded', 'encoded', 'plain', 'read'],
      operations: [decode, encode, encode],
      receipts: 2,
    });
  }

  // promise e3.makes.killed
  test.each(triedKills)(
    'a worker killed %s leaves exactly one result',
    async (_, kills) => {
      const image = randomBytes(4096);
      service.requests.length = 0;
      service.sealed.length = 0;
      const slotGUID = await decodeKilled(kills[0], image);
      const encoded = await encodeKilled(kills[1], slotGUID, image);
      const steps = ['decode', 'encode'];
      if (doFilesExpire(family)) {
        await sealAgainKilled(kills[2], slotGUID, encoded);
        steps.push('encode');
      }
      // a request that was sent is sent again, with the same image; nothing was kept of its response
      const isSentAgain = (at: number) => kills[at] !== 'before its request';
      expect(service.requests).toEqual(
        steps.flatMap((step, at) => (isSentAgain(at) ? [step, step] : step)),
      );
      for (const sealed of service.sealed) expect(sealed).toEqual({ slave: 'Golf', image });
    },
    120_000,
  );
});
