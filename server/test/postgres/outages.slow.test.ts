/** A portal and a worker as processes, whose PostgreSQL is stopped, crashes, is started again, or fails over. */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Operation } from '@recodery/contract/features/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { demoDirectory } from '../../src/demo/demo-directory.ts';
import { findSlaveBySerial, getPairKey } from '../../src/organisations/devices.ts';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { openPlatform, type Platform } from '../../src/platform.ts';
import { describeSession } from '../../src/sign-in/describe-session.ts';
import { createSession } from '../../src/sign-in/sessions.ts';
import { Client } from '../fixtures/client.ts';
import { type OwnPostgres, startOwnPostgres } from '../fixtures/database/own-postgres.ts';
import {
  holdUpload,
  outlineOf,
  pollUntilFinished,
  unavailable,
} from '../fixtures/patient-client.ts';
import { type PostgresProxy, startPostgresProxy } from '../fixtures/database/postgres-proxy.ts';
import { spawnRecodery } from '../fixtures/recodery-process.ts';
import { sealImage, started, uploadRead } from '../journeys/families/kessv2-workflow.ts';

const secret = randomBytes(32).toString('hex');
/** Bytes of the images whose uploads last as long as an outage. */
const heldBytes = 6 * 1024 * 1024;

/** A process with its output. */
interface Running {
  readonly child: ChildProcess;
  readonly said: { out: string; log: string };
  /** The exit code; resolves when it has exited. */
  readonly ended: Promise<number | null>;
}

let postgres: OwnPostgres;
let proxy: PostgresProxy;
let config: Config;
let url: string;
const processes: Running[] = [];
const servers: OwnPostgres[] = [];

beforeAll(async () => {
  postgres = await startOwnPostgres('tables');
  servers.push(postgres);
  proxy = await startPostgresProxy(postgres.url);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  config = readConfig({
    RECODERY_DATA_DIR: await mkdtemp(join(tmpdir(), 'recodery-outage-')),
    RECODERY_DATABASE_URL: proxy.url,
    RECODERY_SECRET: secret,
    RECODERY_PORT: String(port),
    RECODERY_DEMO: 'off',
  });
});
afterAll(async () => {
  for (const { child, ended } of processes.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  }
  await proxy.stop();
  for (const server of servers.splice(0)) await server.remove();
  await rm(config.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

function start(role: 'portal' | 'worker'): Running {
  const child = spawnRecodery(
    { config, databaseUrl: proxy.url },
    {
      RECODERY_ROLES: role,
      RECODERY_SECRET: secret,
      RECODERY_PORT: String(config.port),
      RECODERY_PARALLEL_OPERATIONS: '100',
    },
  );
  const said = { out: '', log: '' };
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (said.log += part.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const running = { child, said, ended };
  processes.push(running);
  return running;
}

async function becomesReady({ said, child }: Running): Promise<void> {
  await expect.poll(() => said.out !== '' || child.exitCode !== null).toBe(true);
  if (child.exitCode !== null) throw new Error(said.log);
}

/** The messages of a process's log. */
function messagesOf({ said }: Running): readonly string[] {
  const lines = said.log.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => String((JSON.parse(line) as { msg: unknown }).msg));
}

async function readiness(): Promise<number> {
  const ended = processes.find(({ child }) => child.exitCode !== null);
  if (ended !== undefined) throw new Error(ended.said.log);
  return (await fetch(`${url}/readyz`)).status;
}

/** Status, Retry-After and Location of a page of the sign-in. */
async function readSignIn(path: string) {
  const { status, headers } = await fetch(new URL(path, config.publicUrl), { redirect: 'manual' });
  return [status, headers.get('retry-after'), headers.get('location')] as const;
}

/** Works in the database directly, as a command does. */
async function withPlatform<T>(work: (platform: Platform) => Promise<T>): Promise<T> {
  const open = await openPlatform(config, silentLog, { as: 'command' });
  return work(open.platform).finally(() => open.close());
}

/** A signed-in user, and the slave with which their reads are made. */
function openWorkshop() {
  return withPlatform(async (platform) => {
    const { db } = platform;
    await applyDirectory(platform, demoDirectory);
    const account = db.selectFrom('account').select('guid').where('email', '=', 'anna@demo.test');
    const { guid: accountGuid } = await account.executeTakeFirstOrThrow();
    const session = await createSession(db, { accountGuid, idToken: null });
    const found = await findSlaveBySerial(db, 'kessv2', 'KV2-000007');
    if (session === null || found === null) throw new Error('the demo directory is incomplete');
    const { sessionID } = await describeSession(platform, session);
    const { master, slave } = found;
    const keyId = master.currentKeyId;
    const pairKey = await getPairKey(platform, master, slave, keyId);
    if (pairKey === null) throw new Error('the slave has no key');
    const serials = { masterSerial: master.serialNumber, slaveSerial: 'KV2-000007' };
    const own = { family: 'kessv2', pairKey, keyId, ...serials } as const;
    const read = (bytes: number) => sealImage(own, 9000, randomBytes(bytes));
    return { anna: new Client(url, sessionID), read };
  });
}

/** Waits until that many uploads have partly arrived. */
async function arrive(count: number): Promise<void> {
  const aside = join(fileURLToPath(config.storageUrl), '.aside');
  await expect.poll(async () => (await readdir(aside)).length).toBe(count);
}

/** What happens to the database: how it becomes unavailable, and how it comes back. */
interface Outage {
  readonly name: string;
  begin(): Promise<void>;
  end(): Promise<void>;
}

const outages: readonly [Outage, ...Outage[]] = [
  {
    name: 'a crash of PostgreSQL',
    begin: () => postgres.crash(),
    end: () => postgres.start(),
  },
  {
    name: 'a clean restart of PostgreSQL',
    begin: () => postgres.stop(),
    end: () => postgres.start(),
  },
  {
    name: 'a failover to another primary',
    begin: () => postgres.stop(),
    async end() {
      const next = await postgres.copy();
      servers.push(next);
      proxy.redirect(next.url);
      postgres = next;
    },
  },
];

const [crash, ...others] = outages;

// one after the other, with the same processes
describe('portal and worker', () => {
  let both: readonly Running[] = [];

  it('wait until the database is available, then start', async () => {
    await postgres.crash();
    both = [start('portal'), start('worker')];
    for (const running of both)
      await expect.poll(() => messagesOf(running)).toContain('waiting for the database');
    await postgres.start();
    await Promise.all(both.map(becomesReady));
    expect(await readiness()).toBe(200);
  });

  const expectSurvival = async ({ begin, end }: Outage): Promise<void> => {
    if (both.length === 0) both = [start('portal'), start('worker')];
    await Promise.all(both.map(becomesReady));
    // only what they log from here on
    for (const { said } of both) said.log = '';
    const { anna, read } = await openWorkshop();
    const reported = new Set<string>();
    await anna.listen(({ record }) => {
      const { guid, isCompleted } = record as Operation;
      if (isCompleted) reported.add(guid);
    });
    const early = await Promise.all(
      Array.from({ length: 6 }, () => uploadRead(anna, read(512 * 1024))),
    );
    const accepted = early.map(started);
    const [across, within] = [holdUpload(anna, read(heldBytes)), holdUpload(anna, read(heldBytes))];
    await arrive(2);

    const signInUrl = (await readSignIn('/sso/start'))[2] ?? '';
    await begin();
    await expect.poll(readiness).toBe(503);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    for (const path of ['/api/operations', '/api/maestro-checkup/status', '/api/preferences']) {
      expect([path, outlineOf(await anna.get(path))]).toEqual([path, unavailable]);
    }
    expect(outlineOf(await within.finish())).toEqual(unavailable);
    expect(await readSignIn(signInUrl)).toEqual([503, '10', null]);
    // the worker connects only every few seconds: its log shows that it has noticed
    for (const running of both)
      await expect.poll(() => messagesOf(running)).toContain('the database is unavailable');

    await end();
    await expect.poll(readiness).toBe(200);
    const held = started(await across.finish());
    for (const operation of [...accepted, held]) {
      const { status, error } = await pollUntilFinished(anna, operation);
      expect([status, error]).toEqual(['succeeded', null]);
    }
    // announcements arrive again, if not before, then on a new stream
    const again = new Client(url, anna.sessionId);
    const [late] = [started(await uploadRead(anna, read(4096)))];
    expect((await again.follow(late)).status).toBe('succeeded');
    again.close();
    anna.close();

    for (const running of both) {
      expect([running.child.exitCode, running.child.signalCode]).toEqual([null, null]);
      expect(running.said.log).not.toMatch(/unhandled|uncaught|Node\.js v/i);
      await expect.poll(() => messagesOf(running)).toContain('the database is available again');
    }
  };
  it.each([crash])('survive $name', (outage) => expectSurvival(outage));
  it.each(others)('survive $name', { tags: 'release' }, (outage) => expectSurvival(outage));

  it('shut down cleanly while the database is unavailable', async () => {
    await postgres.stop();
    await expect.poll(readiness).toBe(503);
    for (const { child } of both) child.kill('SIGTERM');
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([0, 0]);
    for (const running of both)
      expect(messagesOf(running)).toEqual(expect.arrayContaining(['shutting down', 'shut down']));
  });

  it('stop waiting when they are told to shut down', async () => {
    const running = start('portal');
    await expect.poll(() => messagesOf(running)).toContain('waiting for the database');
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect(messagesOf(running).at(-1)).toBe('shut down before the start was complete');
    expect(running.said.out).toBe('');
  });
});
