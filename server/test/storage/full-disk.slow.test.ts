/** A real file system that is full: a small tmpfs, mounted over the storage folder of a portal and a worker. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outlineOf, pollUntilFinished, unavailable } from '../fixtures/patient-client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, sealImage, started, uploadRead } from '../journeys/families/kessv2-workflow.ts';

const mib = 2 ** 20;
/**
 * Mounting needs root, and some containers refuse it even to root: tested in a namespace that disappears with its
 * process.
 */
const trial = ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'recodery', '/mnt'];
const canMount = process.getuid?.() === 0 && spawnSync('unshare', trial).status === 0;

describe.runIf(canMount)('a full disk', () => {
  let portal: RunningPortal;
  let folder: string;
  beforeAll(async () => {
    portal = await startTestPortal();
    folder = fileURLToPath(portal.platform.config.storageUrl);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'recodery', folder]);
    if (status !== 0) throw new Error('could not mount a file system');
    // what the storage has created at its start
    spawnSync('mkdir', ['-p', join(folder, '.aside')]);
  });
  afterAll(async () => {
    // lazily: a file may still be open
    spawnSync('umount', ['--lazy', folder]);
    await portal.stop();
  });

  const countFiles = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
      .length;

  test('causes 503 before a body is read and in the middle of an upload, and nothing is left behind', async () => {
    const anna = await portal.signIn('anna@demo.test');
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const large = sealImage(slave, 9000, randomBytes(12 * mib));
    expect(outlineOf(await uploadRead(anna, large))).toEqual(unavailable);
    expect(await countFiles()).toBe(0);

    await writeFile(join(folder, 'other'), randomBytes(7.8 * mib));
    const small = sealImage(slave, 9000, randomBytes(64 * 1024));
    expect(outlineOf(await uploadRead(anna, small))).toEqual(unavailable);
    await rm(join(folder, 'other'));
    await decode(anna, small);
  });

  test('makes accepted operations wait until there is room again', async () => {
    const { db } = portal.platform;
    const anna = await portal.signIn('anna@demo.test');
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    await portal.stopWorker();
    const read = sealImage(slave, 9000, randomBytes(2 * mib));
    const operation = started(await uploadRead(anna, read));
    // until it is full
    await writeFile(join(folder, 'other'), randomBytes(8 * mib)).catch(() => undefined);
    await portal.startWorker();
    const row = db.selectFrom('operation').selectAll().where('guid', '=', operation.guid);
    const isReleased = async () => {
      const { status, attempt } = await row.executeTakeFirstOrThrow();
      return status === 'failed' || (status === 'waiting' && attempt > 0);
    };
    await expect.poll(isReleased).toBe(true);
    await rm(join(folder, 'other'));
    expect((await pollUntilFinished(anna, operation)).status).toBe('succeeded');
  });
});
