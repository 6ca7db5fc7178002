/** One cluster's server process: creates, starts, finds and stops it. Other modules decide when. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chown, open, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart } from '../../config/cannot-start.ts';
import { writeFileOnce } from '../../config/folders.ts';
import type { SystemAccount } from './binaries.ts';
import { clusterOf, makePrivateFolder, type PostgresHome } from './cluster-location.ts';
import { connectOnce } from '../database.ts';
import { type ClusterUrls, prepareOwner, superuser, urlsOf } from '../database-owner.ts';
import { openSocketFolder } from './socket.ts';

/** Milliseconds that crash recovery may take before the start fails. */
const startTime = 120_000;
/** Milliseconds that the children of a killed server may take to exit. */
const orphanTime = 15_000;
/** Milliseconds for a fast shutdown, then for an immediate one. */
const stopTimes = { fast: 6000, immediate: 2500 };
/**
 * Milliseconds that a server may take to stop before it is stopped immediately, then killed. PostgreSQL 18 can wait
 * forever if it is told to stop while it recovers from the crash of a connection.
 */
const stuckTimes = { immediate: 30_000, kill: 40_000 };
/** Bytes at which the server's log is rotated; one old log is kept. */
const logSize = 8 * 2 ** 20;

/** A running server, and how to connect to it over its unix socket. */
export interface PostgresProcess extends ClusterUrls {
  readonly pid: number;
  /** null: it was started by another process. */
  readonly child: ChildProcess | null;
}

/** Options of a start. */
export interface StartOptions {
  /** Stops the server when this process dies. Only on systems that support it. */
  readonly diesWithUs: boolean;
  /** Further `name=value` settings of the server. */
  readonly settings?: readonly string[];
}

/** Initializes the cluster when there is none. An interrupted initialization starts again from the beginning. */
export async function initialize(home: PostgresHome, isForTests = false): Promise<void> {
  const cluster = clusterOf(home.folder);
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    await checkVersion(home, cluster);
    return;
  }
  const draft = `${cluster}.draft`;
  await rm(draft, { recursive: true, force: true });
  await makePrivateFolder(draft, home.account);
  await writeFileOnce(passwordFileOf(home), randomBytes(24).toString('base64url'), 0o600);
  // initdb reads the password from a file that its account can read; it is deleted when initdb ends.
  const passwordFile = join(home.folder, 'password.initdb');
  await writeFile(passwordFile, await readPassword(home), { mode: 0o600 });
  await giveTo(passwordFile, home.account);
  try {
    const { status, stderr } = spawnSync(
      join(home.binaries.folder, 'bin/initdb'),
      [
        ...['-D', draft, '-U', superuser, '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
        ...[
          '--encoding=UTF8',
          '--locale=C',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
        ],
        // and a random password needs no slow hash, which each connection of a test would compute again
        ...(isForTests ? ['--no-sync', '--set', 'scram_iterations=1'] : []),
      ],
      { ...home.account, cwd: '/', env: { PATH: '/usr/bin:/bin', TZ: 'UTC' }, encoding: 'utf8' },
    );
    if (status !== 0) {
      throw new CannotStart(`Could not create the embedded database: ${lastLine(stderr)}`);
    }
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, cluster);
}

async function checkVersion(home: PostgresHome, cluster: string): Promise<void> {
  const major = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (home.binaries.version.split('.')[0] !== major) {
    throw new CannotStart(
      `The database in ${cluster} was created by PostgreSQL ${major}, but this version of Recodery includes PostgreSQL ${home.binaries.version}. Make a backup with the old version of Recodery, then restore it with this one.`,
    );
  }
}

/** The running server of a cluster; waits while it starts or stops; null when there is none. */
export async function findRunning(home: PostgresHome): Promise<PostgresProcess | null> {
  const cluster = clusterOf(home.folder);
  const began = performance.now();
  const end = began + startTime;
  for (;;) {
    const state = await readPidFile(cluster);
    if (state === null) return null;
    if (!isServerOf(state.pid, cluster)) {
      // Left by a killed server. Another program may have its process id by now, and PostgreSQL would then refuse to
      // start.
      await unlink(join(cluster, 'postmaster.pid')).catch(() => undefined);
      return null;
    }
    if (state.isReady) {
      const urls = urlsOf(state.socketFolder, await readPassword(home));
      if (await answers(urls.adminUrl)) {
        // a version that uses the superuser may have started it
        await prepareOwner(urls);
        return { pid: state.pid, ...urls, child: null };
      }
    }
    if (state.isStopping) hurry(state.pid, performance.now() - began);
    if (performance.now() > end) {
      throw new CannotStart(
        `The embedded database (process ${state.pid}) does not respond. Stop that process, then try again.`,
      );
    }
    await wait(20);
  }
}

/** Kills a server that has been stopping for too long. The next start recovers what it has not written. */
function hurry(pid: number, waited: number): void {
  if (waited < stuckTimes.immediate) return;
  try {
    process.kill(pid, waited < stuckTimes.kill ? 'SIGQUIT' : 'SIGKILL');
  } catch {
    // it has exited
  }
}

/**
 * Starts the server of an initialized cluster and waits until it responds. Only when {@link findRunning} found none.
 */
export async function startServer(
  home: PostgresHome,
  options: StartOptions,
): Promise<PostgresProcess> {
  const socketFolder = await openSocketFolder(home);
  // Left by a killed server; PostgreSQL trusts the process id in it, which another program may have by now.
  await rm(join(socketFolder, '.s.PGSQL.5432.lock'), { force: true });
  const end = performance.now() + orphanTime;
  for (;;) {
    const outcome = await tryToStart(home, options, socketFolder);
    if (typeof outcome !== 'string') return outcome;
    // The children of a killed server outlive it briefly, and keep the cluster's memory in use.
    if (!/still in use|still running/.test(outcome) || performance.now() > end) {
      throw new CannotStart(
        `Could not start the embedded database: ${outcome} (details in ${logFileOf(home)})`,
      );
    }
    await wait(200);
  }
}

/** The started server, or its log line that explains why it did not start. */
async function tryToStart(
  home: PostgresHome,
  options: StartOptions,
  socketFolder: string,
): Promise<PostgresProcess | string> {
  const cluster = clusterOf(home.folder);
  const logFile = logFileOf(home);
  const log = await openLogFile(logFile);
  const command = [
    ...(options.diesWithUs ? parentDeathSignal() : []),
    ...[join(home.binaries.folder, 'bin/postgres'), '-D', cluster],
    ...serverSettings(socketFolder, options.settings ?? []).flatMap((setting) => ['-c', setting]),
  ];
  const [program = '', ...parameters] = command;
  const child = spawn(program, parameters, {
    ...home.account,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', TZ: 'UTC' },
    // A separate session: we forward signals to our group ourselves, in the right order.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.unref();
  await log.close();
  if (!(await becomesReady(child, cluster)))
    return findCause(await readFile(logFile, 'utf8'), child.pid);
  const urls = urlsOf(socketFolder, await readPassword(home));
  await prepareOwner(urls);
  return { pid: child.pid ?? 0, ...urls, child };
}

function serverSettings(socketFolder: string, more: readonly string[]): readonly string[] {
  return [
    'listen_addresses=',
    `unix_socket_directories=${socketFolder}`,
    'unix_socket_permissions=0700',
    'max_connections=120',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_checkpoints=off',
    'log_statement=none',
    'log_parameter_max_length_on_error=0',
    'logging_collector=off',
    ...more,
  ];
}

/** How to make the server shut down quickly and cleanly when we die; empty on systems without support. */
function parentDeathSignal(): readonly string[] {
  if (process.platform !== 'linux') return [];
  const { status, stdout } = spawnSync('setpriv', ['--help'], { encoding: 'utf8' });
  return status === 0 && stdout.includes('--pdeathsig') ? ['setpriv', '--pdeathsig', 'INT'] : [];
}

async function openLogFile(path: string) {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > logSize) await rename(path, `${path}.1`);
  return open(path, 'a', 0o600);
}

/** Waits until the server accepts connections; false if it exits instead. */
async function becomesReady(child: ChildProcess, cluster: string): Promise<boolean> {
  const ended = new Promise<'ended'>((resolve) => {
    child.once('exit', () => resolve('ended'));
    child.once('error', () => resolve('ended'));
  });
  const end = performance.now() + startTime;
  while (performance.now() < end) {
    const state = await readPidFile(cluster);
    if (state !== null && state.pid === child.pid && state.isReady) return true;
    if ((await Promise.race([ended, wait(10)])) === 'ended') return false;
  }
  throw new CannotStart(
    'The embedded database took too long to start. Check the load and the free disk space of this machine, then try again.',
  );
}

/**
 * The line of the log that explains why the server with this process id did not start: the children of the one before can
 * write to the same log after it.
 */
export function findCause(text: string, pid: number | undefined): string {
  const own = text.split('\n').filter((line) => line.includes(`[${pid}]`));
  return lastLine(own.length > 0 ? own.join('\n') : text);
}

function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  const errorLine = lines.findLast((line) => /FATAL|PANIC|error:/.test(line));
  return (errorLine ?? lines.at(-1) ?? '').trim();
}

/** Runs one statement on a separate connection. */
async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = await connectOnce(url, 'recodery supervisor');
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

function answers(url: string): Promise<boolean> {
  return query(url, 'select 1').then(
    () => true,
    () => false,
  );
}

/** Whether there are other connections, such as those of other commands. */
export async function hasClients(server: PostgresProcess): Promise<boolean> {
  const rows = await query(
    server.adminUrl,
    `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows.length > 0;
}

/**
 * Stops the server: it rolls back running transactions, flushes its data, and exits. Resolves when the process has
 * exited.
 */
export async function stopServer(server: PostgresProcess): Promise<void> {
  // If the server received a SIGTERM before, it waits for its clients; these signals override that.
  for (const [signal, patience] of [
    ['SIGINT', stopTimes.fast],
    ['SIGQUIT', stopTimes.immediate],
  ] as const) {
    if (!isAlive(server)) break;
    process.kill(server.pid, signal);
    const end = performance.now() + patience;
    while (isAlive(server) && performance.now() < end) await wait(10);
  }
}

/** Whether the server's process is alive. */
export function isAlive({ pid, child }: PostgresProcess): boolean {
  // of a child that has just died, Node may not know yet
  if (child !== null && (child.exitCode !== null || child.signalCode !== null)) return false;
  return isProcessAlive(pid);
}

/** Whether the process exists and is not a zombie. */
function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/\) Z /.test(readProcessFile(pid, 'stat'));
}

/** Whether the process is a PostgreSQL server of this cluster, and not a later process with a reused id. */
function isServerOf(pid: number, cluster: string): boolean {
  if (!isProcessAlive(pid)) return false;
  const command = existsSync('/proc/self/cmdline')
    ? readProcessFile(pid, 'cmdline').replaceAll('\0', ' ')
    : spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return command.includes('postgres') && command.includes(`-D ${cluster} `);
}

/** A file of Linux's /proc; empty on other systems, and if the process exits while we read. */
function readProcessFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

interface PidFile {
  readonly pid: number;
  readonly socketFolder: string;
  readonly isReady: boolean;
  readonly isStopping: boolean;
}

/** The server's PID file; its lines are listed in PostgreSQL's `miscadmin.h`. */
async function readPidFile(cluster: string): Promise<PidFile | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , , , socketFolder = '', , , status = ''] = text.split('\n');
  if (!Number(pid)) return null;
  const state = status.trim();
  const isStopping = state === 'stopping';
  return { pid: Number(pid), socketFolder, isReady: state === 'ready', isStopping };
}

function logFileOf(home: PostgresHome): string {
  return join(home.folder, 'server.log');
}

function passwordFileOf(home: PostgresHome): string {
  return join(home.folder, 'password');
}

async function readPassword(home: PostgresHome): Promise<string> {
  return (await readFile(passwordFileOf(home), 'utf8')).trim();
}

async function giveTo(path: string, account: SystemAccount | null): Promise<void> {
  if (account !== null) await chown(path, account.uid, account.gid);
}
