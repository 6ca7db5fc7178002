/**
 * `recodery remote watch` through a broken connection and through SIGKILLs of itself and of the portal: nothing happens
 * twice.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { acceptEncoded, type Slave } from '@recodery/codec/simulator/slave';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quickStart } from '../fixtures/recodery-process.ts';
import { freePort } from '../fixtures/free-port.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { sealImage } from '../journeys/families/kessv2-workflow.ts';
import { type Line, openLine } from './line.ts';
import { openRemote, type RemoteCommand, type Running } from './remote-command.ts';

const secret = randomBytes(32).toString('hex');
const image = randomBytes(4096);

/** Owns the database and the storage; the portal that the command calls is another process. */
let platformPortal: RunningPortal;
let served: ChildProcess;
let port: number;
let line: Line;
let remote: RemoteCommand;
let slave: Slave;
beforeAll(async () => {
  platformPortal = await startTestPortal({ RECODERY_SECRET: secret }, false);
  slave = await platformPortal.getSlave('kessv2', 'KV2-000007');
  port = await freePort();
  served = serve();
  line = await openLine(port);
  remote = await openRemote(line.url, await platformPortal.addClient());
});
afterAll(async () => {
  await remote.stop();
  await line.close();
  await killed(served);
  await platformPortal.stop();
});

/** Starts portal and worker as a process. It responds some seconds later; the command waits for it. */
function serve(): ChildProcess {
  const { config, databaseUrl } = platformPortal.platform;
  const program = join(import.meta.dirname, '../operations/worker-process.ts');
  return spawn(process.execPath, [program], {
    stdio: 'ignore',
    detached: true,
    env: {
      ...quickStart,
      RECODERY_PORT: String(port),
      RECODERY_ENGINES: '1',
      RECODERY_DEMO: 'off',
      RECODERY_SECRET: secret,
      RECODERY_DATABASE_URL: databaseUrl,
      RECODERY_STORAGE_URL: config.storageUrl,
      RECODERY_DATA_DIR: config.dataDir,
    },
  });
}

/** Kills a process with its whole group. */
async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
  await gone;
}

async function countOperations(type: string): Promise<number> {
  const rows = platformPortal.platform.db
    .selectFrom('operation')
    .where('type', '=', type)
    .where('is_background', '=', false)
    .select('guid');
  return (await rows.execute()).length;
}

/** Drops the response to a request that has arrived, then kills the command. */
async function killBeforeResponse(watch: Running, request: string, type: string): Promise<void> {
  line.swallowed = request;
  line.isUp = true;
  await expect.poll(() => countOperations(type)).toBe(1);
  await killed(watch.child);
  line.swallowed = null;
}

// promise e2.remote.once
test('decodes and encodes once, no matter what is killed or fails in between', async () => {
  line.isUp = false;
  const first = remote.watch();
  await expect.poll(() => first.said.complaint).toContain('Retrying');
  await remote.write('car.tfc', sealImage(slave, 9000, image));
  await killBeforeResponse(first, 'decode-read-file', 'KESSv2Decode');
  await killed(served);

  const second = remote.watch();
  await expect.poll(() => second.said.complaint).toContain('Retrying');
  served = serve();
  await remote.waitFor('car', 'decoded');
  await expect.poll(() => second.said.complaint).toContain('responds again');
  expect(Buffer.compare(await remote.read('car.decoded.bin'), image)).toBe(0);

  await remote.write('car.mod.bin', image.toReversed());
  await killBeforeResponse(second, 'encode-file', 'KESSv2Encode');
  const third = remote.watch();
  const { encodes } = await remote.waitFor('car', 'encoded');
  const encoded = await remote.read(encodes[0]?.file?.file ?? '');
  const [written] = acceptEncoded({ ...slave, file: encoded }).components;
  expect(Buffer.compare(written?.bytes ?? image, image.toReversed())).toBe(0);
  third.child.kill('SIGTERM');
  expect((await third.ended).code).toBe(0);

  // finished work is not repeated
  const files = await remote.list();
  const fourth = remote.watch();
  await remote.write('next.tfc', sealImage(slave, 9000, image));
  await remote.waitFor('next', 'decoded');
  expect(await countOperations('KESSv2Decode')).toBe(2);
  expect(await countOperations('KESSv2Encode')).toBe(1);
  expect(fourth.said.out).not.toContain('car.tfc');
  const added = ['next.decoded.bin', 'next.recodery.json', 'next.tfc'];
  expect((await remote.list()).toSorted()).toEqual([...files, ...added].toSorted());
  const slots = platformPortal.platform.db
    .selectFrom('slot')
    .select('opened_by_client_guid')
    .execute();
  expect(await slots).toEqual([{ opened_by_client_guid: null }, { opened_by_client_guid: null }]);
});
