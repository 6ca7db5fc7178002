/** The embedded PostgreSQL with real processes that open a data folder's database, are killed, and start again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { copyPrepared } from '../fixtures/prepared-folder.ts';
import { quickStart, isProcessAlive } from '../fixtures/recodery-process.ts';

interface Holder {
  readonly process: ChildProcess;
  readonly url: string;
  readonly isMoved: boolean;
  /** Closes the database as a program would; returns the exit code. */
  close(): Promise<unknown>;
  kill(): Promise<void>;
}

const script = join(import.meta.dirname, 'hold-database.ts');
let parent: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'recodery-embedded-'));
  await chmod(parent, 0o755);
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.stdin?.write('end\n');
      await once(child, 'exit');
    }
  }
});
afterAll(() => rm(parent, { recursive: true }));

/** A data folder that has been used before. */
async function prepare(name: string): Promise<string> {
  const dataDir = join(parent, name);
  await mkdir(dataDir, { recursive: true });
  await copyPrepared('cluster', dataDir);
  return dataDir;
}

async function hold(as: 'serve' | 'command', dataDir: string): Promise<Holder> {
  const child = spawn(process.execPath, [script, as, dataDir], {
    stdio: 'pipe',
    env: { ...process.env, ...quickStart },
  });
  running.push(child);
  let complaint = '';
  child.stderr.on('data', (data) => {
    complaint += data;
  });
  const lines = createInterface(child.stdout);
  const first = await Promise.race([once(lines, 'line'), once(child, 'close')]);
  if (typeof first[0] !== 'string') throw new Error(complaint);
  const { url, isMoved } = JSON.parse(first[0]) as { url: string; isMoved: boolean };
  const exit = once(child, 'exit');
  return {
    process: child,
    url,
    isMoved,
    async close() {
      child.stdin.write('end\n');
      return (await exit)[0];
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

async function serverPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

describe('the embedded database of serve', () => {
  it('starts in an empty folder, listens on a private socket only, and exits with serve', async () => {
    const dataDir = join(parent, 'begin');
    const serve = await hold('serve', dataDir);
    expect(await query(serve.url, 'show listen_addresses')).toEqual(['']);
    expect(await query(serve.url, 'show fsync')).toEqual(['on']);
    const socket = decodeURIComponent(new URL(serve.url).hostname);
    expect((await stat(socket)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
    await expect(query(serve.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      'password',
    );
    const pid = await serverPid(dataDir);
    expect(await serve.close()).toBe(0);
    expect(isProcessAlive(pid)).toBe(false);
  });

  // in each run, `cli/serve.slow.test.ts` starts a second one
  it('keeps what was written, and refuses a second serve without affecting the first', {
    tags: 'release',
  }, async () => {
    const dataDir = await prepare('twice');
    const first = await hold('serve', dataDir);
    await query(first.url, 'create table kept as select 7 as n');
    await expect(hold('serve', dataDir)).rejects.toThrow(
      `is already running in the data folder ${dataDir} (process ${first.process.pid})`,
    );
    expect(await query(first.url, 'select n from kept')).toEqual([7]);
    await first.close();
    const again = await hold('serve', dataDir);
    expect(await query(again.url, 'select n from kept')).toEqual([7]);
  });

  // in each run, the next test kills the database too, and `cli/serve.slow.test.ts` the whole group
  it('recovers automatically after serve was killed, with everything that was committed', {
    tags: 'release',
  }, async () => {
    const dataDir = await prepare('killed');
    const first = await hold('serve', dataDir);
    await query(first.url, 'create table kept as select 8 as n');
    await first.kill();
    const again = await hold('serve', dataDir);
    expect(await query(again.url, 'select n from kept')).toEqual([8]);
  });

  // promise d3.start.sigkill
  it('recovers after serve and the database were killed together', async () => {
    const dataDir = await prepare('both');
    const first = await hold('serve', dataDir);
    await query(first.url, 'create table kept as select 9 as n');
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await first.kill();
    const again = await hold('serve', dataDir);
    expect(await query(again.url, 'select n from kept')).toEqual([9]);
  });

  it('replaces a server that never finishes stopping', async () => {
    const dataDir = await prepare('stuck');
    const command = await hold('command', dataDir);
    await command.kill();
    const before = await serverPid(dataDir);
    const pidFile = join(dataDir, 'postgres/cluster/postmaster.pid');
    // what such a server reports; its own connections would be refused
    const report = await readFile(pidFile, 'utf8');
    await writeFile(pidFile, report.replace('ready   ', 'stopping'));
    const serve = await hold('serve', dataDir);
    expect(await serverPid(dataDir)).not.toBe(before);
    expect(isProcessAlive(before)).toBe(false);
    expect(await serve.close()).toBe(0);
  });

  // in each run, `cli/serve.slow.test.ts` kills it
  it('is restarted if only the database process dies', { tags: 'release' }, async () => {
    const dataDir = await prepare('restart');
    const serve = await hold('serve', dataDir);
    const pid = await serverPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => query(serve.url, 'select 1').catch(() => null)).toEqual([1]);
    expect(await serverPid(dataDir)).not.toBe(pid);
    expect(await serve.close()).toBe(0);
    expect(isProcessAlive(pid)).toBe(false);
  });

  it('stops in time if a SIGTERM reached it first and a client still has a connection', async () => {
    const dataDir = await prepare('term');
    const serve = await hold('serve', dataDir);
    const client = new pg.Client({ connectionString: serve.url });
    const errors: Error[] = [];
    client.on('error', (error) => errors.push(error));
    await client.connect();
    const pid = await serverPid(dataDir);
    process.kill(pid, 'SIGTERM');
    expect(await serve.close()).toBe(0);
    // stopped by a fast shutdown, not by an immediate one
    await expect.poll(() => errors[0]).toMatchObject({ code: '57P01' });
    expect(isProcessAlive(pid)).toBe(false);
  });

  it('starts even if the process id in a stale postmaster.pid belongs to another process', async () => {
    const dataDir = await prepare('stale');
    await (await hold('serve', dataDir)).close();
    const pidFile = join(dataDir, 'postgres/cluster/postmaster.pid');
    await writeFile(pidFile, `${process.pid}\n${dirname(pidFile)}\n1\n5432\n/tmp\n\n1 1\nready\n`);
    const serve = await hold('serve', dataDir);
    expect(await query(serve.url, 'select 1')).toEqual([1]);
  });

  it('works in a folder whose path is too long for a socket and contains spaces and special characters', async () => {
    const dataDir = await prepare(join('a long path with 100 % signs & spaces', 'x'.repeat(90)));
    const serve = await hold('serve', dataDir);
    expect(await query(serve.url, 'select 1')).toEqual([1]);
    const socket = decodeURIComponent(new URL(serve.url).hostname);
    expect((await stat(socket)).mode & 0o777).toBe(0o700);
    await serve.close();
    const again = await hold('serve', dataDir);
    expect(decodeURIComponent(new URL(again.url).hostname)).toBe(socket);
    await again.close();
    await rm(socket, { recursive: true });
  });

  it('creates the cluster again if its creation was interrupted', async () => {
    const dataDir = join(parent, 'draft');
    const draft = join(dataDir, 'postgres/cluster.draft');
    await mkdir(draft, { recursive: true });
    await writeFile(join(draft, 'PG_VERSION'), '18\n');
    const serve = await hold('serve', dataDir);
    expect(await query(serve.url, 'select 1')).toEqual([1]);
  });
});

describe('the embedded database of commands', () => {
  it('is the running one of serve, which a command never stops', async () => {
    const dataDir = await prepare('beside');
    const serve = await hold('serve', dataDir);
    const command = await hold('command', dataDir);
    expect(command.url).toBe(serve.url);
    expect(await command.close()).toBe(0);
    expect(await query(serve.url, 'select 1')).toEqual([1]);
  });

  // promise d3.commands.alone
  it('is started by the first command and stopped by the last', async () => {
    const dataDir = await prepare('commands');
    const [first, second] = await Promise.all([hold('command', dataDir), hold('command', dataDir)]);
    const client = new pg.Client({ connectionString: second.url });
    await client.connect();
    const pid = await serverPid(dataDir);
    await first.close();
    expect(isProcessAlive(pid)).toBe(true);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    await second.close();
    expect(isProcessAlive(pid)).toBe(false);
  });

  it('is taken over by a serve that starts in the meantime, and keeps running when the command exits', async () => {
    const dataDir = await prepare('takeover');
    const command = await hold('command', dataDir);
    const serve = await hold('serve', dataDir);
    await command.close();
    expect(await query(serve.url, 'select 1')).toEqual([1]);
    const pid = await serverPid(dataDir);
    await serve.close();
    expect(isProcessAlive(pid)).toBe(false);
  });
});

describe.runIf(process.getuid?.() === 0)('as root', () => {
  // promise d3.settings.as-root
  it('runs the server as another account', async () => {
    const dataDir = await prepare('root');
    await hold('serve', dataDir);
    expect((await stat(`/proc/${await serverPid(dataDir)}`)).uid).not.toBe(0);
  });

  // promise d3.settings.as-root
  it('moves only the cluster if that account cannot access the data folder, and finds it again', async () => {
    const closed = join(parent, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const dataDir = join(closed, 'data');
    const serve = await hold('serve', dataDir);
    expect(serve.isMoved).toBe(true);
    await query(serve.url, 'create table kept as select 3 as n');
    await serve.close();
    const { home } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as {
      home: string;
    };
    expect(home).toMatch(/^\/var\/lib\/recodery\/[0-9a-f]{12}$/);
    await chmod(closed, 0o755);
    const again = await hold('command', dataDir);
    expect(await query(again.url, 'select n from kept')).toEqual([3]);
    await again.close();
    await rm(home, { recursive: true });
    await expect(hold('serve', dataDir)).rejects.toThrow('which is missing');
  });
});
