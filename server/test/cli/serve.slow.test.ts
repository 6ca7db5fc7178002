/**
 * `recodery serve` as a process: it starts, refuses a second instance, runs next to commands, shuts down, and recovers
 * from a crash.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { doubleMakers } from '../../src/demo/demo-doubles.ts';
import { callProgram } from '../fixtures/command.ts';
import { freePort } from '../fixtures/free-port.ts';
import { type Contents, copyPrepared } from '../fixtures/prepared-folder.ts';

const program = resolve(import.meta.dirname, '../../../recodery.mjs');
let dataDir: string;
let port: number;
const started: ChildProcess[] = [];

/** Opens a data folder: an empty one, or one that has been used before. */
async function openPlace(contents: Contents | null): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'recodery-serve-'));
  // As root, the database would otherwise move to a different folder, and remain there.
  await chmod(dataDir, 0o755);
  if (contents !== null) await copyPrepared(contents, dataDir);
  port = await freePort();
}

async function clearPlace(): Promise<void> {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await rm(dataDir, { recursive: true, maxRetries: 20, retryDelay: 100 });
}

/** Mounting needs root, and some containers refuse it even to root. */
const trial = ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'recodery', '/mnt'];
const canMount = process.getuid?.() === 0 && spawnSync('unshare', trial).status === 0;

function recodery(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [program, ...words], {
    // In its own process group, as a terminal or a service manager would start it.
    detached: true,
    env: {
      PATH: '/usr/bin:/bin',
      RECODERY_DATA_DIR: dataDir,
      RECODERY_PORT: String(port),
      // no test of this file decodes: a second engine would only cost time
      RECODERY_ENGINES: '1',
      RECODERY_RESTORE_KITS: 'off',
      // on a busy machine, a clean shutdown takes longer than usual
      RECODERY_STOP_PATIENCE_SECONDS: '60',
      ...settings,
    },
  });
  started.push(child);
  const said = { out: '', complaint: '' };
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (said.complaint += part.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  return { child, said, ended };
}

async function serve(settings: Readonly<Record<string, string>> = {}) {
  const running = recodery(['serve'], settings);
  const isReady = () => running.said.out.includes('\n') || running.child.exitCode !== null;
  await vi.waitUntil(isReady, { timeout: 240_000 });
  if (running.child.exitCode !== null) throw new Error(running.said.complaint);
  return running;
}

function answers(): Promise<number | null> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status,
    () => null,
  );
}

/** The log lines of a shutdown, without their times. */
function shutdownOf(complaint: string) {
  return complaint
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ msg }) => /shut/.test(String(msg)))
    .map(({ level, msg, signal, milliseconds }) => ({ level, msg, signal, milliseconds }));
}

const shutdownBy = (signal: string) => [
  { level: 'info', msg: 'shutting down', signal, milliseconds: undefined },
  { level: 'info', msg: 'shut down', signal: undefined, milliseconds: expect.any(Number) },
];

/** The processes whose command line contains the data folder or that belong to the group. */
function processesOf(group: number | undefined): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const [command, stats] = [readProcess(pid, 'cmdline'), readProcess(pid, 'stat')];
      const [state, , processGroup] = stats.slice(stats.lastIndexOf(') ') + 2).split(' ');
      const isOurs = command.includes(dataDir) || processGroup === String(group);
      // A process that is exiting has no command line any more.
      return isOurs && state !== 'Z' && command !== ''
        ? [`${pid} ${command.replaceAll('\0', ' ')}`]
        : [];
    });
}

function readProcess(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** The process id in the first line of PostgreSQL's file; null while there is none. */
function readProcessId(path: string): string | null {
  const [pid = ''] = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return pid === '' ? null : pid;
}

const withoutDemo = { RECODERY_DEMO: 'off' };

/** A command in this process, where the command itself is not the subject. */
function call(words: readonly string[]) {
  return callProgram(words, { PATH: '/usr/bin:/bin', RECODERY_DATA_DIR: dataDir, ...withoutDemo });
}
const exportDirectory = () => call(['directory', 'export', '-']);

/** A portal that the tests of a group share. */
let running: Awaited<ReturnType<typeof serve>>;

async function openPortal(contents: Contents | null): Promise<void> {
  await openPlace(contents);
  running = await serve();
}

// one after the other, with the same data folder
describe('serve, started on an empty data folder', () => {
  beforeAll(() => openPortal(null));
  afterAll(clearPlace);

  // promise d3.start.listening-last
  it('responds as soon as it reports that it is ready, and prints where and how to sign in', async () => {
    const { said } = running;
    expect(await answers()).toBe(200);
    expect(said.out).toMatch(
      new RegExp(
        `^Recodery [\\d.]+ is ready: http://localhost:${port}\nSign in as anna@demo.test with the password demo.\nTo try ${doubleMakers} with doubles of their services, sign in as emma@demo.test.\nFrom a container or through an SSH tunnel, first open http://localhost:${port}/idp/demo/[\\w-]{43}\n$`,
      ),
    );
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
  });

  // promise d3.start.second
  it('refuses a second instance in the same data folder, in one line, without affecting the first', async () => {
    const second = await recodery(['serve'], { RECODERY_PORT: String(await freePort()) }).ended;
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.complaint).toMatch(/^recodery: Recodery is already running [^\n]+\n$/m);
    expect(await answers()).toBe(200);
  });

  // promise d3.commands.beside
  it('runs next to commands, which leave it running', async () => {
    const exported = await recodery(['directory', 'export', '-']).ended;
    expect(exported.code).toBe(0);
    expect(exported.out).toContain('CC-1001');
    expect(await answers()).toBe(200);
  });

  // promise d3.start.sigkill
  it('recovers automatically after the whole group was killed', async () => {
    const { child, ended } = running;
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
    running = await serve();
    expect(await answers()).toBe(200);
    expect((await exportDirectory()).out).toContain('CC-1001');
  });

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'stays up and restarts its database when that gets a %s',
    async (signal) => {
      const { child, said } = running;
      const pidFile = join(dataDir, 'postgres/cluster/postmaster.pid');
      const before = readProcessId(pidFile);
      const crashes = () => said.complaint.split('database crashed and is being restarted').length;
      const crashesBefore = crashes();
      // a connection that is idle in the portal's pool, and is lost
      expect(await answers()).toBe(200);
      process.kill(Number(before), signal);
      await expect.poll(() => readProcessId(pidFile) ?? before).not.toBe(before);
      await expect.poll(answers).toBe(200);
      expect(child.exitCode).toBeNull();
      expect(crashes()).toBeGreaterThan(crashesBefore);
      expect((await exportDirectory()).out).toContain('CC-1001');
    },
  );

  // promise d3.start.sigterm
  it.runIf(existsSync('/proc'))(
    'shuts down with all its processes when the whole group gets a signal',
    async () => {
      const { child, ended } = running;
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      // after the shutdown time limit, it would exit with a different code
      const { code, complaint } = await ended;
      expect(code).toBe(0);
      expect(shutdownOf(complaint)).toEqual(shutdownBy('SIGTERM'));
      expect(processesOf(child.pid)).toEqual([]);
      expect(await answers()).toBeNull();
      // The database was shut down, not killed: there is nothing to recover.
      expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false);
    },
  );
});

describe('serve on a small disk', () => {
  beforeEach(() => openPlace(null));
  afterEach(clearPlace);

  // promise d3.start.full-disk
  it.runIf(canMount)(
    'ends with one line when the disk is full, and leaves no database running',
    async () => {
      // enough for the empty database, and not for what comes after it
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=60m', 'recodery', dataDir]);
      try {
        const { child, ended } = recodery(['serve']);
        const { code, complaint } = await ended;
        expect(code).toBe(1);
        expect(complaint).toMatch(/^recodery: .+(disk is full|No space left).+$/m);
        expect(complaint).not.toMatch(/^ {4}at /m);
        expect(processesOf(child.pid)).toEqual([]);
      } finally {
        spawnSync('umount', ['--lazy', dataDir]);
      }
    },
  );
});

// one after the other, with the same data folder
describe('serve', () => {
  beforeAll(() => openPlace('tables'));
  afterAll(clearPlace);
  let portal: Awaited<ReturnType<typeof serve>> | null = null;

  it('exits with one line if its port is in use, and stops the database', async () => {
    const otherServer = createServer().listen(port, '127.0.0.1');
    await once(otherServer, 'listening');
    const { child, ended } = recodery(['serve'], withoutDemo);
    const answer = await ended;
    otherServer.close();
    expect(answer).toMatchObject({ code: 1, out: '' });
    expect(answer.complaint).toMatch(/^recodery: Port \d+ of 127\.0\.0\.1 is used[^\n]+\n$/m);
    expect(processesOf(child.pid)).toEqual([]);
  });

  it('restarts its database even if that is killed again while it starts', {
    tags: 'release',
  }, async () => {
    const { child } = await serve(withoutDemo);
    const pidFile = join(dataDir, 'postgres/cluster/postmaster.pid');
    let last = readProcessId(pidFile);
    /** Waits for the next process; PostgreSQL removes its file in between. */
    const waitForNext = async (): Promise<string> => {
      let next: string | null = null;
      const isNext = (): boolean => {
        next = readProcessId(pidFile);
        return next !== null && next !== last;
      };
      await expect.poll(isNext, { interval: 5 }).toBe(true);
      if (next === null) throw new Error('there is no process');
      return next;
    };
    process.kill(Number(last), 'SIGKILL');
    for (let again = 0; again < 2; again += 1) {
      last = await waitForNext();
      process.kill(Number(last), 'SIGKILL');
    }
    await waitForNext();
    await expect.poll(answers).toBe(200);
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  // promise d3.start.one-role
  it('runs a single role, which needs no port, and logs its shutdown once, however many signals arrive', async () => {
    const { said, child, ended } = await serve({ ...withoutDemo, RECODERY_ROLES: 'worker' });
    expect(said.out).toMatch(/^Recodery [\d.]+ worker is ready\.\n$/);
    expect(await answers()).toBeNull();
    child.kill('SIGINT');
    child.kill('SIGTERM');
    child.kill('SIGINT');
    const { code, complaint } = await ended;
    expect(code).toBe(0);
    // a busy process receives pending signals in any order
    expect([shutdownBy('SIGINT'), shutdownBy('SIGTERM')]).toContainEqual(shutdownOf(complaint));
  });

  // promise d3.start.no-user
  it('prints what to do while no user can sign in', async () => {
    const { said, child } = await serve(withoutDemo);
    await expect
      .poll(() => said.complaint)
      .toMatch(/No user can sign in yet\. .* recodery directory apply FILE$/m);
    const file = join(dataDir, 'directory.yaml');
    await writeFile(
      file,
      'organisations:\n  - customerCode: C-1\n    name: Shop\nusers:\n  - email: me@shop.example\n    name: Me\n    customerCodes: [C-1]\n',
    );
    const applied = await call(['directory', 'apply', file]);
    expect(applied).toMatchObject({ code: 0 });
    child.kill('SIGTERM');
    await once(child, 'exit');
    portal = await serve(withoutDemo);
    const { said: next } = portal;
    await expect
      .poll(() => next.complaint)
      .toMatch(/no user has a password\. Invite one: .* recodery user invite EMAIL$/m);
  });

  it('stops with exit code 1 if its database keeps crashing', async () => {
    const { child, said, ended } = portal ?? (await serve(withoutDemo));
    const cluster = join(dataDir, 'postgres/cluster');
    const pid = readProcessId(join(cluster, 'postmaster.pid'));
    // a server without this file exits each time it is started
    await rm(join(cluster, 'global/pg_control'));
    process.kill(Number(pid), 'SIGKILL');
    expect((await ended).code).toBe(1);
    expect(child.signalCode).toBeNull();
    // more often only if five starts take longer than a minute
    expect(said.complaint.split('crashed and is being restarted').length).toBeGreaterThan(5);
    expect(said.complaint).toContain('"msg":"could not keep the embedded database running"');
    await expect.poll(() => processesOf(child.pid)).toEqual([]);
  });
});
