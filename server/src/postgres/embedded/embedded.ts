/**
 * The embedded PostgreSQL of a data folder. `serve` owns its server, and restarts it if it dies. Commands use the
 * running server and never stop it, or start one and stop it when the last of them is done.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart } from '../../config/cannot-start.ts';
import type { Log } from '../../config/log.ts';
import { openPostgresHome, type PostgresHome } from './cluster-location.ts';
import {
  findRunning,
  hasClients,
  initialize,
  isAlive,
  type PostgresProcess,
  type StartOptions,
  startServer,
  stopServer,
} from './server-process.ts';
import { finishReplacing, isReplacing } from '../replaced-data.ts';
import { type ProcessLock, tryLock, waitForLock } from '../process-lock.ts';

/** A server that we can use until `close`. */
export interface EmbeddedPostgres {
  readonly url: string;
  readonly home: PostgresHome;
  /** Announces the upcoming stop: another `serve` then waits instead of being refused. */
  announceStop(): Promise<void>;
  /** Releases the server; close every connection first. */
  close(): Promise<void>;
}

/** Milliseconds that a start waits while another process starts or stops the same database. */
const changePatience = 150_000;
/** Milliseconds that `serve` waits for another `serve` that is stopping. */
const stoppingPatience = 15_000;
/** Maximum consecutive restarts of a server that died, and milliseconds after which they no longer count. */
const restarts = { most: 5, forgottenAfter: 60_000 };

interface DataFolder {
  readonly locks: string;
  readonly serveLock: string;
  readonly changeLock: string;
  /** The status note of the running `serve`. */
  readonly serveNote: string;
}

async function openDataFolder(dataDir: string): Promise<DataFolder> {
  const locks = join(dataDir, 'locks');
  await mkdir(locks, { recursive: true }).catch(() => {
    throw new CannotStart(
      `This account cannot write to the data folder ${dataDir}. Make it the owner of the folder, or set RECODERY_DATA_DIR to another folder.`,
    );
  });
  return {
    locks,
    serveLock: join(locks, 'serve'),
    changeLock: join(locks, 'postgres'),
    serveNote: join(locks, 'serve.json'),
  };
}

/**
 * Opens the database for `serve`: initializes it, takes over a running server, or starts one. `onLost` is called when
 * the server is permanently lost.
 * @throws {CannotStart} when another `serve` has the data folder, or the database cannot be started
 */
export async function openForServe(
  dataDir: string,
  log: Log,
  onLost: (error: unknown) => void,
): Promise<EmbeddedPostgres> {
  const folder = await openDataFolder(dataDir);
  const lock = await takeServeLock(folder, dataDir);
  await writeNote(folder, 'running');
  await finishCutOff(folder, dataDir);
  const options: StartOptions = { diesWithUs: true };
  const home = await openPostgresHome(dataDir);
  const started = await startOrJoin(folder, home, options);
  const guard = watch(started, async () => await startOrJoin(folder, home, options), log, onLost);
  return {
    url: started.url,
    home,
    announceStop: () => writeNote(folder, 'stopping').catch(() => undefined),
    async close() {
      // neither is worth a server that keeps running: a full disk refuses both
      await writeNote(folder, 'stopping').catch(() => undefined);
      const server = await guard.end();
      // Within both locks: a command that starts in the meantime must neither join this server nor leave its own
      // running.
      const change = await takeChangeLock(folder).catch(() => null);
      await stopServer(server);
      await rm(folder.serveNote, { force: true });
      lock.release();
      change?.release();
    },
  };
}

/**
 * Opens the database for a command, next to a running `serve` or alone.
 * @throws {CannotStart} when it cannot be started
 */
export async function openForCommand(dataDir: string): Promise<EmbeddedPostgres> {
  const folder = await openDataFolder(dataDir);
  await finishCutOff(folder, dataDir);
  const home = await openPostgresHome(dataDir);
  // The server must outlive this process: a `serve` that starts in the meantime takes it over.
  const server = await startOrJoin(folder, home, { diesWithUs: false });
  return {
    url: server.url,
    home,
    announceStop: async () => undefined,
    close: () =>
      whileChanging(folder, async () => {
        if (isServing(folder) || !isAlive(server) || (await hasClients(server))) return;
        await stopServer(server);
      }),
  };
}

/**
 * Has exclusive use of a data folder during `work`: no `serve` runs on it, and no command uses its database.
 * @throws {CannotStart} when it is in use
 */
export async function withFolderAlone<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const folder = await openDataFolder(dataDir);
  const lock = await takeServeLock(folder, dataDir);
  try {
    return await whileChanging(folder, async () => {
      if (isReplacing(dataDir)) await finishReplacing(dataDir);
      await endForgotten(dataDir);
      return work();
    });
  } finally {
    lock.release();
  }
}

/** Stops a database that a killed `serve` has left running; refuses when a command uses it. */
async function endForgotten(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'postgres.json'))) return;
  // A database that is missing, or belongs to a different PostgreSQL version, is not running.
  const home = await openPostgresHome(dataDir).catch(() => null);
  const running = home === null ? null : await findRunning(home);
  if (running === null) return;
  if (await hasClients(running)) {
    throw new CannotStart(
      `Another command is using the data folder ${dataDir}. Wait until it has finished.`,
    );
  }
  await stopServer(running);
}

/** Completes a restore that was interrupted while it replaced the data. */
async function finishCutOff(folder: DataFolder, dataDir: string): Promise<void> {
  if (!isReplacing(dataDir)) return;
  await whileChanging(folder, async () => {
    if (isReplacing(dataDir)) await finishReplacing(dataDir);
  });
}

/** Whether a `serve` has this data folder. */
function isServing(folder: DataFolder): boolean {
  const lock = tryLock(folder.serveLock);
  lock?.release();
  return lock === null;
}

async function takeServeLock(folder: DataFolder, dataDir: string): Promise<ProcessLock> {
  const end = performance.now() + stoppingPatience;
  for (;;) {
    // A command that checks for a running `serve` takes the lock briefly, so wait for it.
    const lock = tryLock(folder.serveLock, 200);
    if (lock !== null) return lock;
    const { pid, state } = readNote(folder);
    if (state !== 'stopping' || performance.now() > end) {
      throw new CannotStart(
        `Recodery is already running in the data folder ${dataDir} (process ${pid}). Stop it first, or set RECODERY_DATA_DIR to another folder.`,
      );
    }
    await wait(50);
  }
}

async function writeNote(folder: DataFolder, state: 'running' | 'stopping'): Promise<void> {
  // The data folder may have been deleted while we run: the shutdown must still continue.
  if (!existsSync(folder.locks)) return;
  await writeFile(folder.serveNote, JSON.stringify({ pid: process.pid, state }));
}

async function takeChangeLock(folder: DataFolder): Promise<ProcessLock | null> {
  return existsSync(folder.locks) ? waitForLock(folder.changeLock, stoppingPatience) : null;
}

function readNote(folder: DataFolder): { pid: unknown; state: unknown } {
  const text = existsSync(folder.serveNote) ? readFileSync(folder.serveNote, 'utf8') : '';
  // The file may be empty if it is read while it is being written.
  const note: unknown = text.endsWith('}') ? JSON.parse(text) : null;
  return typeof note === 'object' && note !== null && 'pid' in note && 'state' in note
    ? { pid: note.pid, state: note.state }
    : { pid: 'unknown', state: 'unknown' };
}

/** Does something while no other process starts or stops this database. */
async function whileChanging<T>(folder: DataFolder, work: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(folder.changeLock, changePatience);
  if (lock === null) {
    throw new CannotStart(
      'Another process has been starting or stopping the database for several minutes. Wait until it has finished, then try again.',
    );
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function startOrJoin(
  folder: DataFolder,
  home: PostgresHome,
  options: StartOptions,
): Promise<PostgresProcess> {
  return whileChanging(folder, async () => {
    const running = await findRunning(home);
    if (running !== null) return running;
    await initialize(home);
    return startServer(home, options);
  });
}

/** Restarts the server when it dies unexpectedly, also while it is being restarted. */
function watch(
  first: PostgresProcess,
  restart: () => Promise<PostgresProcess>,
  log: Log,
  onLost: (error: unknown) => void,
) {
  let server = first;
  let crashTimes: number[] = [];
  let reason: unknown = new Error('the embedded database keeps crashing');
  let restarting: Promise<void> | null = null;
  const timer = setInterval(() => {
    if (restarting !== null || isAlive(server)) return;
    const now = performance.now();
    crashTimes = [...crashTimes.filter((at) => now - at < restarts.forgottenAfter), now];
    if (crashTimes.length > restarts.most) {
      clearInterval(timer);
      log.error({ error: reason }, 'could not keep the embedded database running');
      onLost(reason);
      return;
    }
    log.error('the embedded database crashed and is being restarted');
    restarting = restart()
      .then(
        (next) => {
          server = next;
        },
        (error: unknown) => {
          // it may have been killed again while it started: the next check counts this as another crash
          log.warn({ error }, 'the embedded database did not start');
          reason = error;
        },
      )
      .finally(() => {
        restarting = null;
      });
  }, 200);
  timer.unref();
  return {
    async end() {
      clearInterval(timer);
      await restarting;
      return server;
    },
  };
}
