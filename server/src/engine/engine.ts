/** The pool of engine processes: warm children that decode and encode, each replaced as soon as it is gone. */
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type EngineChild, startChild } from './processes/child.ts';
import { keepChildren } from './processes/children.ts';
import { emptyFolder, stageTask } from './processes/task-files.ts';
import type { AnswerTo, EngineTask } from './processes/task.ts';

export { EngineCrashed } from './processes/child.ts';
export type { CheckAnswer, DecodeAnswer, EncodeAnswer, EngineTask } from './processes/task.ts';

/** Number, place and limits of the engine processes; absent limits are the usual ones. */
export interface EnginePoolOptions {
  /** Number of processes. */
  readonly engines: number;
  /** Folder for the files of running tasks; several pools may share it. */
  readonly scratch: string;
  /** MiB resident at which a process is killed. */
  readonly memoryMiB?: number;
  /** Milliseconds that a task may take; waiting for a free process does not count. */
  readonly timeMs?: number;
  /** The program of the processes; another one in tests, which may read its own folder only. */
  readonly program?: string;
}

/** A folder for one operation's files, which begins to be cleared away at the end of its `using` block. */
export interface Scratch extends Disposable {
  readonly folder: string;
}

/** Warm engine processes: a crash, a hang or a bomb ends one task and nothing else. */
export interface EnginePool {
  /** How many tasks run at the same time; more wait in order. */
  readonly engines: number;
  /**
   * Lets an engine do a task, with hard limits of time and memory.
   * @throws {CodecError} the file is at fault
   * @throws {EngineCrashed} the process crashed, hung or took too much memory
   * @throws the signal's reason, when it was aborted
   */
  run<T extends EngineTask>(task: T, signal?: AbortSignal): Promise<AnswerTo<T>>;
  /** A fresh folder for the files of a task, on the same disk as the engines' own. */
  openScratch(): Promise<Scratch>;
  /** Ends the processes. What still runs or waits is rejected. */
  close(): Promise<void>;
}

const roomOf = (path: string): string => resolve(import.meta.dirname, '../../..', path);
const ownProgram = join(import.meta.dirname, 'processes/engine-process.ts');
// What the program consists of: its own files, the codec, the words; names of packages lead through node_modules.
const ownFiles = [
  ownProgram,
  join(import.meta.dirname, 'processes/task.ts'),
  roomOf('server/package.json'),
  roomOf('package.json'),
  roomOf('codec'),
  roomOf('contract'),
  roomOf('node_modules/@recodery'),
  roomOf('node_modules/zod'),
];

// Folders of pools that live in this process; another process's are told by its id in their name.
const ownFolders = new Set<string>();

function isAlive(pid: number): boolean {
  // A signal 0 only asks; it throws when nobody is there to be asked.
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Makes this pool's folder, and removes those of processes that are no more. */
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

  // Nobody who waits for an answer waits for this: the pool alone does, when it is closed.
  const clearing = new Set<Promise<void>>();
  const clear = (work: Promise<void>): void => {
    const tracked = work.finally(() => clearing.delete(tracked));
    clearing.add(tracked);
  };
  const makeReady = async (child: EngineChild): Promise<void> => {
    // A folder that cannot be emptied must not serve another operation.
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
        // What cannot be removed now goes with the pool's folder.
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
