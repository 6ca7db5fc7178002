/**
 * One engine process: started without rights beyond its folder, monitored while it works, and killed when necessary.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CodecError } from '@recodery/codec/errors';
import { type EngineAnswer, type EngineMessage, type EngineTask, machineFaultOf } from './task.ts';

/** How an engine process ended during a task. */
export type CrashCause = 'exit' | 'time' | 'memory';

/** The engine process ended while it worked on a file: it crashed, hung, or used too much memory. */
export class EngineCrashed extends Error {
  /** `exit`: it exited or was ended by a signal; `time` and `memory`: killed at its limit. */
  readonly reason: CrashCause;
  constructor(reason: CrashCause, how: string) {
    super(`an engine process ended (${reason}: ${how})`);
    this.name = 'EngineCrashed';
    this.reason = reason;
  }
}

export interface ChildOptions {
  /** The program that the child runs. */
  readonly program: string;
  /** Folders and files of the program, which the child can read. */
  readonly readable: readonly string[];
  /** The child's own folder, the only one that it can write to. */
  readonly folder: string;
  /** Bytes resident at which it is killed. */
  readonly memoryBytes: number;
  /** Milliseconds that a task may take. */
  readonly timeMs: number;
}

/** A started engine process. */
export interface EngineChild {
  readonly folder: string;
  /** Resolves when it is ready for tasks; rejects when it ended before. */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
  /**
   * Runs one task.
   * @throws {CodecError} the file is invalid
   * @throws {EngineCrashed} the process has ended
   * @throws the signal's reason; the process has ended then too
   */
  run(task: EngineTask, signal?: AbortSignal): Promise<EngineAnswer>;
  /** Whether it can run another task: false once it was killed, even if its exit was not reported yet. */
  isUsable(): boolean;
  /** Whether it uses so much memory while idle that it should be replaced. */
  isSwollen(): boolean;
  kill(): void;
}

const watchMs = 50;
/** MiB of the JavaScript heap; images are stored outside of it. */
const heapMiB = 192;

let guardWords: readonly string[] | undefined;

/** The command prefix that ends the child with us, even when we are killed while it works. */
function diesWithParent(): readonly string[] {
  guardWords ??=
    process.platform === 'linux' &&
    spawnSync('/usr/bin/setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore' }).status === 0
      ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL']
      : [];
  return guardWords;
}

function startProcess(options: ChildOptions): ChildProcess {
  const [first, ...others] = [
    ...diesWithParent(),
    process.execPath,
    '--permission',
    ...options.readable.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-read=${options.folder}`,
    `--allow-fs-write=${options.folder}`,
    `--max-old-space-size=${heapMiB}`,
    '--disallow-code-generation-from-strings',
    '--no-warnings',
  ];
  return fork(options.program, [], {
    cwd: options.folder,
    env: {},
    ...(first === undefined ? {} : { execPath: first }),
    execArgv: others,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Bytes resident of a process, 0 when it has ended. Systems other than Linux use `ps`, which is slower. */
function residentBytes(pid: number): number {
  if (process.platform === 'win32') return 0;
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return (Number(stdout.trim()) || 0) * 1024;
  }
  // The process may end between two checks; it then counts as using no memory.
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * The error for an engine's failure. It has a `code` for a fault of the machine, and never one chosen by the engine.
 */
function failureOf(message: EngineMessage & { readonly kind: 'failure' }): Error {
  const code = machineFaultOf(message);
  return Object.assign(new Error(`engine: ${message.stack}`), code === null ? {} : { code });
}

/** Monitors a process from its start to its end. */
function watchProcess(child: ChildProcess) {
  const ready = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  let lastWords = '';
  let cause: CrashCause = 'exit';
  let task: PromiseWithResolvers<EngineAnswer> | null = null;

  const end = (how: string): void => {
    const crash = new EngineCrashed(cause, `${how} ${lastWords}`.trim());
    ready.reject(crash);
    task?.reject(crash);
    gone.resolve();
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2000);
  });
  child.once('error', (error) => end(error.message));
  child.once('exit', (code, signal) => end(signal ?? `code ${code}`));
  child.on('message', (message: EngineMessage) => {
    if (message.kind === 'ready') ready.resolve();
    else if (message.kind === 'answer') task?.resolve(message.answer);
    else if (message.kind === 'failure') task?.reject(failureOf(message));
    else task?.reject(new CodecError(message.internalCode, message.detail, message.sizes));
  });
  // Callers that wait get the error; without callers, it must not be reported as unhandled.
  ready.promise.catch(() => undefined);

  return {
    process: child,
    ready: ready.promise,
    gone: gone.promise,
    /** Bytes resident. */
    resident: () => (child.pid === undefined ? 0 : residentBytes(child.pid)),
    /** Kills it, and remembers why. */
    kill(reason: CrashCause): void {
      cause = reason;
      child.kill('SIGKILL');
    },
    /** The result of the task that it is sent next. */
    expectAnswer(): PromiseWithResolvers<EngineAnswer> {
      task = Promise.withResolvers<EngineAnswer>();
      return task;
    },
  };
}

/** Starts an engine process in its folder, which must exist. */
export function startChild(options: ChildOptions): EngineChild {
  const { folder, timeMs, memoryBytes } = options;
  const child = watchProcess(startProcess(options));

  return {
    folder,
    ready: child.ready,
    gone: child.gone,
    async run(task, signal) {
      signal?.throwIfAborted();
      const answer = child.expectAnswer();
      const abort = (): void => {
        answer.reject(signal?.reason);
        child.kill('exit');
      };
      signal?.addEventListener('abort', abort);
      const clock = setTimeout(() => child.kill('time'), timeMs);
      const watch = setInterval(() => {
        if (child.resident() > memoryBytes) child.kill('memory');
      }, watchMs);
      // A child that has already ended sends no more messages: reject its task here.
      child.process.send(task, (error) => {
        if (error !== null) answer.reject(new EngineCrashed('exit', 'it had exited'));
      });
      return answer.promise.finally(() => {
        clearTimeout(clock);
        clearInterval(watch);
        signal?.removeEventListener('abort', abort);
      });
    },
    isUsable: () => child.process.connected && !child.process.killed,
    isSwollen: () => child.resident() > memoryBytes / 2,
    kill: () => child.kill('exit'),
  };
}
