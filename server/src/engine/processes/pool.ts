/** The pool of engine processes: warm children that decode and encode, each replaced as soon as it has exited. */
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type EngineChild, startChild } from './child.ts';
import { keepChildren } from './children.ts';
import { emptyFolder, stageTask } from './task-files.ts';
import type { AnswerTo, EngineTask } from './task.ts';

export { EngineCrashed } from './child.ts';
export type { CheckAnswer, EngineTask } from './task.ts';

/** Number, folder and limits of the engine processes; absent limits have defaults. */
export interface EnginePoolOptions {
  /** Number of processes. */
  readonly engines: number;
  /** Folder for the files of running tasks; several pools can share it. */
  readonly scratch: string;
  /** MiB resident at which a process is killed. */
  readonly memoryMiB?: number;
  /** Milliseconds that a task may take; waiting for a free process does not count. */
  readonly timeMs?: number;
  /** The program of the processes; tests use another one, which can read its own folder only. */
  readonly program?: string;
}

/** A folder for one operation's files; its deletion starts at the end of its `using` block. */
export interface Scratch extends Disposable {
  readonly folder: string;
}

/** Warm engine processes: a crash, a hang or a decompression bomb ends one task and nothing else. */
export interface EnginePool {
  /** How many tasks run at the same time; more wait in order. */
  readonly engines: number;
  /**
   * Runs a task in an engine, with hard limits of time and memory.
   * @throws {CodecError} the file is invalid
   * @throws {EngineCrashed} the process crashed, hung or used too much memory
   * @throws the signal's reason, when it was aborted
   */
  run<T extends EngineTask>(task: T, signal?: AbortSignal): Promise<AnswerTo<T>>;
  /** A new folder for the files of a task, on the same disk as the engines' own. */
  openScratch(): Promise<Scratch>;
  /** Ends the processes. Running and waiting tasks are rejected. */
  close(): Promise<void>;
}

const roomOf = (path: string): string => resolve(import.meta.dirname, '../../../..', path);
const ownProgram = join(import.meta.dirname, 'engine-process.ts');
// The files of the program: its own, the codec, the texts; package names are resolved through node_modules.
const ownFiles = [
  ownProgram,
  join(import.meta.dirname, 'task.ts'),
  roomOf('server/package.json'),
  roomOf('package.json'),
  roomOf('codec'),
  roomOf('contract'),
  roomOf('node_modules/@recodery'),
  roomOf('node_modules/zod'),
];

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

/** Creates this pool's folder, and removes those of dead processes. */
async function openFolder(scratch: string): Promise<string> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const root = await realpath(scratch);
  for (const name of await readdir(root)) {
    const pid = Number(/^pool-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    const isLeft = pid === process.pid ? !ownFolders.has(join(root, name)) : !isAlive(pid);
    if (!Number.isNaN(pid) && isLeft) {
      await rm(join(root, name), { recursive: true, force: true });
    }
  }
  const folder = await mkdtemp(join(root, `pool-${process.pid}-`));
  ownFolders.add(folder);
  return folder;
}

/** Starts the processes; resolves when all are ready. @throws when they do not start */
export async function createEnginePool(options: EnginePoolOptions): Promise<EnginePool> {
  const { engines, memoryMiB = 512, timeMs = 60_000, program = ownProgram } = options;
  const folder = await openFolder(options.scratch);
  const readable = program === ownProgram ? ownFiles : [...ownFiles, program];
  const children = await keepChildren(engines, async () =>
    startChild({
      program,
      readable,
      folder: await mkdtemp(join(folder, 'engine-')),
      memoryBytes: memoryMiB * 1024 * 1024,
      timeMs,
    }),
  );

  // Callers do not wait for this cleanup; only closing the pool does.
  const clearing = new Set<Promise<void>>();
  const clear = (work: Promise<void>): void => {
    const tracked = work.finally(() => clearing.delete(tracked));
    clearing.add(tracked);
  };
  const makeReady = async (child: EngineChild): Promise<void> => {
    // A folder that cannot be emptied must not be used for another operation.
    await emptyFolder(child.folder).catch(() => child.kill());
    if (child.isSwollen()) child.kill();
    else children.giveBack(child);
  };

  const runOn = async <T extends EngineTask>(
    child: EngineChild,
    asked: T,
    signal: AbortSignal | undefined,
  ): Promise<AnswerTo<T>> => {
    const { task, collect } = await stageTask(asked, child.folder);
    const answer = await child.run(task, signal);
    await collect(answer);
    return answer as AnswerTo<T>;
  };

  return {
    engines,
    async run(task, signal) {
      const child = await children.take(signal);
      return runOn(child, task, signal).finally(() => clear(makeReady(child)));
    },
    async openScratch() {
      const own = await mkdtemp(join(folder, 'work-'));
      return {
        folder: own,
        // Anything that cannot be removed now is removed with the pool's folder.
        [Symbol.dispose]: () =>
          clear(rm(own, { recursive: true, force: true }).catch(() => undefined)),
      };
    },
    async close() {
      await children.close();
      await Promise.all(clearing);
      await rm(folder, { recursive: true, force: true });
      ownFolders.delete(folder);
    },
  };
}
