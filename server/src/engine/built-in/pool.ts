/** The pool of engine processes: warm children that decode and encode, each replaced as soon as it has exited. */
import { mkdtempSync } from 'node:fs';
import { mkdtemp, readdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workflows } from '@recodery/contract/families/registry';
import { type EngineChild, EngineCrashed, EngineInterrupted, startChild } from './child.ts';
import { keepChildren } from './children.ts';
import {
  chooseAccount,
  type DetectedIsolation,
  detectIsolation,
  makeEngineFolder,
  openScratchRoot,
  preparePool,
  releaseAccount,
} from './isolation.ts';
import { engineProgram, readable as ownFiles } from './program-files.ts';
import type { EngineAccount, Isolation } from './sandbox-command.ts';
import { enginesLost } from '../../metrics/metrics.ts';
import { traced } from '../../traces/traces.ts';
import { removeOwnFolder, removeTree } from './remove-tree.ts';
import { emptyFolder, stageTask } from './task-files.ts';
import type { AnswerTo, EngineTask } from './task.ts';

export { EngineCrashed, EngineInterrupted };
export type { CheckAnswer, EngineTask } from './task.ts';

/** Number, folder and limits of the engine processes; absent limits have defaults. */
export interface EnginePoolOptions {
  /** Number of processes that work at the same time; one more is ready for another organisation. */
  readonly engines: number;
  /** Folder for the files of running tasks; several pools can share it. */
  readonly scratch: string;
  /** MiB resident at which a process is killed. */
  readonly memoryMiB?: number;
  /** MiB that a task may write. */
  readonly diskMiB?: number;
  /** Milliseconds that a task may take; waiting for a free process does not count. */
  readonly timeMs?: number;
  /** The program of the processes; tests use different ones. */
  readonly program?: string;
  /** What the program can read besides the folder of its process. */
  readonly readable?: readonly string[];
  /** How the processes are isolated; absent: as well as this machine can. */
  readonly isolation?: Isolation;
}

/** A folder for one operation's files; its deletion starts at the end of its `using` block. */
export interface Scratch extends Disposable {
  readonly folder: string;
}

/** Warm engine processes: a crash, a hang or a decompression bomb affects only one task. */
export interface EnginePool {
  /** How many tasks run at the same time; more wait in order. */
  readonly engines: number;
  /** How its processes are isolated. */
  readonly isolation: DetectedIsolation;
  /**
   * Runs a task in an engine that has worked for no other organisation, with hard limits of time and memory.
   * @throws {CodecError} the file is invalid
   * @throws {EngineCrashed} the process crashed, hung, or used too much memory or disk space
   * @throws {EngineInterrupted} processes were killed or stopped from outside, more often than a task is tried
   * @throws the signal's reason, when it was aborted
   */
  run<T extends EngineTask>(
    task: T,
    organisation: string,
    signal?: AbortSignal,
  ): Promise<AnswerTo<T>>;
  /** A new folder for the files of a task, on the same disk as the engines' own. */
  openScratch(): Promise<Scratch>;
  /** Terminates the processes. Running and waiting tasks are rejected. */
  close(): Promise<void>;
}

// Folders of the pools in this process; the folders of other processes have their id in the name.
const ownFolders = new Set<string>();

function isAlive(pid: number): boolean {
  // Signal 0 only checks whether the process exists; it throws when it does not.
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The folders of pools whose processes have died. */
async function listLeftFolders(root: string): Promise<readonly string[]> {
  const isLeft = (name: string): boolean => {
    const pid = Number(/^pool-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid)) return false;
    return pid === process.pid ? !ownFolders.has(join(root, name)) : !isAlive(pid);
  };
  return (await readdir(root)).filter(isLeft).map((name) => join(root, name));
}

/** Creates this pool's folder. */
async function openFolder(root: string, isolation: Isolation): Promise<string> {
  const folder = await mkdtemp(join(root, `pool-${process.pid}-`));
  ownFolders.add(folder);
  await preparePool(folder, isolation);
  return folder;
}

/** A process of the pool. */
interface PoolChild extends EngineChild {
  readonly account: EngineAccount | null;
}

/** How often a task is started again after an interruption. */
const mostInterruptions = 2;

/**
 * The error to report when a process could not be used. Its folder is removed when it has exited: if a file is missing
 * there, the process was interrupted, and the machine has no fault.
 */
function asEnd({ isUsable }: EngineChild, error: unknown): unknown {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing && !isUsable() ? new EngineInterrupted('its folder was removed') : error;
}

/**
 * Runs a small test task in a new engine before it gets a file. If a file's task then crashes, the engine itself is
 * known to work.
 */
async function prove(child: PoolChild): Promise<void> {
  const path = `${child.folder}.proof`;
  await writeFile(path, 'an image');
  const place = {
    workflow: workflows[0],
    protocolId: null,
    mode: 'obd',
    component: 'obd',
  } as const;
  const asked = { kind: 'check-modified', ...place, imagePath: path, decodedPath: path } as const;
  const { task } = await stageTask(asked, child);
  await child.run(task);
  await emptyFolder(child.folder);
  await unlink(path);
}

/** How to start a process of the pool. */
function createStart(options: EnginePoolOptions, isolation: Isolation, folder: string) {
  const { memoryMiB = 512, diskMiB = 256, timeMs = 60_000 } = options;
  const { program = engineProgram, readable = ownFiles } = options;
  return async (): Promise<PoolChild> => {
    const account = await chooseAccount(isolation);
    const limits = { memoryBytes: memoryMiB * 2 ** 20, diskBytes: diskMiB * 2 ** 20, timeMs };
    const child = await makeEngineFolder(folder, account)
      .then((own) => startChild({ program, readable, isolation, account, folder: own, ...limits }))
      .catch((error: unknown) => {
        releaseAccount(account);
        throw error;
      });
    void child.gone.then(() => releaseAccount(account));
    const proved = child.ready
      .then(() => prove({ ...child, account }))
      .catch((error: unknown) => {
        const end = asEnd(child, error);
        child.kill();
        throw end;
      });
    // waiting callers get the error; without callers, it must not be reported as unhandled
    proved.catch(() => undefined);
    return { ...child, account, ready: proved };
  };
}

async function runOn<T extends EngineTask>(
  child: PoolChild,
  asked: T,
  signal: AbortSignal | undefined,
): Promise<AnswerTo<T>> {
  const { task, collect } = await stageTask(asked, child);
  const answer = await child.run(task, signal);
  await collect(answer);
  return answer as AnswerTo<T>;
}

function countLoss(error: unknown): void {
  if (error instanceof EngineCrashed) enginesLost.inc({ reason: error.reason });
  if (error instanceof EngineInterrupted) enginesLost.inc({ reason: 'interrupted' });
}

/** Starts the processes; resolves when all are ready. @throws when they do not start */
export async function createEnginePool(options: EnginePoolOptions): Promise<EnginePool> {
  const { engines } = options;
  const isolation =
    options.isolation === undefined
      ? await detectIsolation(options.scratch)
      : { ...options.isolation, obstacles: [] };
  const root = await openScratchRoot(options.scratch);
  const left = await listLeftFolders(root);
  const folder = await openFolder(root, isolation);
  const children = await keepChildren(engines, createStart(options, isolation, folder));

  // Callers do not wait for this cleanup; only closing the pool does.
  const clearing = new Set<Promise<void>>();
  const clear = (work: Promise<void>): void => {
    const tracked = work.finally(() => clearing.delete(tracked));
    clearing.add(tracked);
  };
  // What an engine has left never delays or stops a start; what cannot be removed now is left for the next one.
  for (const path of left) clear(removeTree(path).catch(() => undefined));
  const makeReady = async (child: PoolChild): Promise<void> => {
    // A folder that cannot be emptied must not be used for another operation.
    await emptyFolder(child.folder).catch(() => child.kill());
    if (child.isSwollen()) child.kill();
    children.handBack(child);
  };

  return {
    engines,
    isolation,
    async run(task, organisation, signal) {
      for (let interruptions = 0; ; interruptions += 1) {
        const child = await children.take(organisation, signal);
        try {
          return await traced(`engine ${task.kind}`, {}, () => runOn(child, task, signal));
        } catch (reason) {
          const error = asEnd(child, reason);
          countLoss(error);
          const isLast = interruptions === mostInterruptions || signal?.aborted === true;
          if (isLast || !(error instanceof EngineInterrupted)) throw error;
        } finally {
          clear(makeReady(child));
        }
      }
    },
    async openScratch() {
      const own = mkdtempSync(join(folder, 'work-'));
      return {
        folder: own,
        // Anything that cannot be removed now is removed with the pool's folder.
        [Symbol.dispose]: () => clear(removeOwnFolder(own).catch(() => undefined)),
      };
    },
    async close() {
      await children.close();
      await Promise.all(clearing);
      await removeTree(folder).catch(() => undefined);
      ownFolders.delete(folder);
    },
  };
}
