/**
 * The storage becomes unavailable while a portal and a worker run, and comes back: nothing that was accepted is lost.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { outlineOf, pollUntilFinished, unavailable } from '../fixtures/patient-client.ts';
import { startPostgresProxy } from '../fixtures/database/postgres-proxy.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { hasSwift, isS3Required, startSwift } from '../fixtures/services/swift.ts';
import {
  decode,
  encode,
  sealImage,
  started,
  uploadRead,
} from '../journeys/families/kessv2-workflow.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A portal whose storage can become unavailable. */
interface Setup {
  readonly portal: RunningPortal;
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** `leave` replaces the folder, which was moved away; `restore` removes the replacement. */
async function openFolder(
  leave: (folder: string) => Promise<unknown>,
  restore: (folder: string) => Promise<unknown>,
): Promise<Setup> {
  const portal = await startTestPortal();
  endings.push(() => portal.stop());
  const folder = fileURLToPath(portal.platform.config.storageUrl);
  return {
    portal,
    async begin() {
      await rename(folder, `${folder}.elsewhere`);
      await leave(folder);
    },
    async end() {
      await restore(folder);
      await rename(`${folder}.elsewhere`, folder);
    },
  };
}

async function openStore(): Promise<Setup> {
  const swift = await startSwift();
  endings.push(() => swift.stop());
  // no outgoing connection can take this port while nothing listens on it
  const port = await freePort();
  let proxy = await startPostgresProxy(swift.endpoint, port);
  endings.push(() => proxy.stop());
  vi.stubEnv('AWS_ACCESS_KEY_ID', swift.credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', swift.credentials.secretAccessKey);
  endings.push(async () => void vi.unstubAllEnvs());
  const endpoint = `http://127.0.0.1:${port}`;
  const portal = await startTestPortal({
    RECODERY_STORAGE_URL: `s3://${await swift.createBucket()}?endpoint=${endpoint}`,
  });
  endings.push(() => portal.stop());
  return {
    portal,
    begin: () => proxy.stop(),
    async end() {
      proxy = await startPostgresProxy(swift.endpoint, port);
    },
  };
}

interface LogLine {
  readonly msg: string;
  readonly error: { readonly type: string };
}
const absent = 'StorageUnavailable';

const nothing = async (): Promise<void> => undefined;
const setups = [
  // what remains of a mounted folder when it is unmounted
  {
    name: 'a folder whose file system is unmounted',
    open: () => openFolder(mkdir, rmdir),
    options: {},
  },
  {
    name: 'a folder that is gone',
    open: () => openFolder(nothing, nothing),
    options: { tags: 'release' },
  },
  ...(hasSwift || isS3Required
    ? [{ name: 'an object store that does not respond', open: openStore, options: {} }]
    : []),
];

describe.each(setups)('$name', ({ open, options }) => {
  test('causes 503, and loses neither operations nor files', options, async () => {
    const { portal, begin, end } = await open();
    const { db } = portal.platform;
    const anna = await portal.signIn('anna@demo.test');
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const image = randomBytes(256 * 1024);
    const decoded = await decode(anna, sealImage(slave, 9000, image));
    const { kessv2SlotGUID: kessv2FileSlotGUID } = decoded;
    const encoded = await encode(anna, { kessv2FileSlotGUID }, 'reencode-decoded-file');
    // accepted before the outage, and claimed only during it
    await portal.stopWorker();
    const early = started(await uploadRead(anna, sealImage(slave, 9000, image)));
    const row = db.selectFrom('operation').selectAll().where('guid', '=', early.guid);
    const read = sealImage(slave, 9000, image);
    await db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('operation')
        .select('guid')
        .where('guid', '=', early.guid)
        .forUpdate()
        .execute();
      await portal.startWorker();
      await begin();
      expect(outlineOf(await uploadRead(anna, read))).toEqual(unavailable);
      expect(outlineOf(await anna.get(encoded.encodedFileURL))).toEqual(unavailable);
    });
    const isReleased = async () => {
      const { status, attempt } = await row.executeTakeFirstOrThrow();
      return status === 'failed' || (status === 'waiting' && attempt > 0);
    };
    await expect.poll(isReleased).toBe(true);
    const log = portal.platform.logLines.map((line) => JSON.parse(line) as LogLine);
    const failed = log.filter(({ msg }) => msg === 'request failed');
    expect(failed.map(({ error }) => error.type)).toEqual([absent, absent]);
    const interrupted = log.filter(({ msg }) => msg.startsWith('operation interrupted'));
    for (const { msg, error } of interrupted) {
      expect(msg).toBe('operation interrupted: the storage is unavailable');
      expect(error).toMatchObject({ type: absent, cause: { message: expect.any(String) } });
    }
    expect(interrupted).not.toEqual([]);

    await end();
    expect((await pollUntilFinished(anna, early)).status).toBe('succeeded');
    expect((await anna.get(encoded.encodedFileURL)).status).toBe(200);
    await decode(anna, read);
  });
});
