/**
 * One engine process: started in its sandbox, monitored while it works, and killed when necessary.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { CodecError } from '@recodery/codec/errors';
import { findInnermost, type ProcessState, readProcessState } from './process-state.ts';
import { lockdown } from './program-files.ts';
import { makeSandboxCommand, type SandboxOptions } from './sandbox-command.ts';
import { type EngineAnswer, type EngineMessage, type EngineTask, machineFaultOf } from './task.ts';

/** How an engine process ended during a task. */
export type CrashCause = 'exit' | 'time' | 'memory' | 'disk';

/** The engine process ended while it worked on a file: it crashed, hung, or used too much memory or disk space. */
export class EngineCrashed extends Error {
  /** `exit`: it exited or crashed; `time`, `memory` and `disk`: killed at its limit. */
  readonly reason: CrashCause;
  constructor(reason: CrashCause, how: string) {
    super(`an engine process ended (${reason}: ${how})`);
    this.name = 'EngineCrashed';
    this.reason = reason;
  }
}

/** An engine process was killed or stopped from outside, or never began its task. The file did not cause this. */
export class EngineInterrupted extends Error {
  constructor(how: string) {
    super(`an engine process was interrupted (${how})`);
    this.name = 'EngineInterrupted';
  }
}

export interface ChildOptions extends SandboxOptions {
  /** The program that the child runs. */
  readonly program: string;
  /** Bytes resident at which it is killed. */
  readonly memoryBytes: number;
  /** Bytes written during one task at which it is killed. */
  readonly diskBytes: number;
  /** Milliseconds that a task may take. */
  readonly timeMs: number;
}

/** A started engine process. */
export interface EngineChild {
  readonly folder: string;
  /** Resolves when it is ready for tasks; rejects if it exits first. */
  readonly ready: Promise<void>;
  /** Resolves when the process has exited. */
  readonly gone: Promise<void>;
  /**
   * Runs one task.
   * @throws {CodecError} the file is invalid
   * @throws {EngineCrashed} the process has exited
   * @throws {EngineInterrupted} something else killed or stopped it
   * @throws the signal's reason; the process has then exited too
   */
  run(task: EngineTask, signal?: AbortSignal): Promise<EngineAnswer>;
  /** Whether it can run another task: false once it has been killed, even if its exit has not been reported yet. */
  isUsable(): boolean;
  /** Whether it uses so much memory while idle that it should be replaced. */
  isSwollen(): boolean;
  kill(): void;
}

const watchMs = 50;
/**
 * Milliseconds within which a process must start, within which it must begin a task, and for which it may be stopped by
 * a signal.
 */
const patience = { start: 30_000, begin: 15_000, stopped: 2_000 };

function startProcess(options: ChildOptions): ChildProcess {
  const [first, ...others] = makeSandboxCommand(options);
  return fork(options.program, [], {
    cwd: options.folder,
    env: {},
    execPath: first,
    execArgv: [...others, '--import', lockdown],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A signal to our group, such as Ctrl+C, is for us: we let engines finish their tasks.
    detached: process.platform !== 'win32',
  });
}

/**
 * The error for an engine's failure. It has a `code` for a fault of the machine, and never one chosen by the engine.
 */
function failureOf(message: EngineMessage & { readonly kind: 'failure' }): Error {
  const code = machineFaultOf(message);
  return Object.assign(new Error(`engine: ${message.stack}`), code === null ? {} : { code });
}

/** Why we killed a process; null: something else did. */
type KillCause = CrashCause | 'interrupted' | null;

/** The error for a process that has exited. `how` is its signal or exit code. */
function describeEnd(cause: KillCause, how: string, lastWords: string): Error {
  const text = `${how} ${lastWords}`.trim();
  // A SIGKILL that is not ours comes from a person or from a system that is out of memory; bwrap reports it as 137.
  const isFromOutside = cause === null && (how === 'SIGKILL' || how === 'code 137');
  if (cause === 'interrupted' || isFromOutside) return new EngineInterrupted(text);
  return new EngineCrashed(cause ?? 'exit', text);
}

/** Monitors a process from its start to its end. */
function watchProcess(child: ChildProcess) {
  const ready = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  let lastWords = '';
  let cause: KillCause = null;
  let isKilled = false;
  let task: PromiseWithResolvers<EngineAnswer> | null = null;
  let hasBegun = false;
  /** The engine itself, below the programs that created its namespaces. */
  let innermost: number | null = null;

  const kill = (reason: KillCause): void => {
    if (isKilled) return;
    isKilled = true;
    cause = reason;
    killFromInside(child);
  };
  const startClock = setTimeout(() => kill('interrupted'), patience.start);
  const end = (how: string): void => {
    clearTimeout(startClock);
    isKilled = true;
    const error = describeEnd(cause, how, lastWords);
    ready.reject(error);
    task?.reject(error);
    gone.resolve();
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2000);
  });
  child.once('error', (error) => end(error.message));
  child.once('exit', (code, signal) => end(signal ?? `code ${code}`));
  child.on('message', (message: EngineMessage) => {
    // Code of a hostile file could send anything, also after the message for which it is killed.
    if (isKilled) return;
    if (typeof message !== 'object' || message === null) kill('exit');
    else if (message.kind === 'ready') {
      clearTimeout(startClock);
      innermost = findInnermost(child.pid ?? 0);
      ready.resolve();
    } else if (message.kind === 'begun') hasBegun = true;
    else if (message.kind === 'answer') task?.resolve(message.answer);
    else if (message.kind === 'failure') task?.reject(failureOf(message));
    else if (message.kind === 'fault')
      task?.reject(new CodecError(message.internalCode, message.detail, message.sizes));
    else kill('exit');
  });
  // Waiting callers get the error; without callers, it must not be reported as unhandled.
  ready.promise.catch(() => undefined);

  return {
    process: child,
    ready: ready.promise,
    gone: gone.promise,
    isUsable: () => child.connected && !isKilled,
    readState: (): ProcessState => readProcessState(innermost ?? child.pid ?? 0),
    /** Whether it has reported that it works on its task. */
    hasBegun: () => hasBegun,
    /** Kills it, and remembers why. */
    kill,
    /** The result of the next task that is sent to it. */
    expectAnswer(): PromiseWithResolvers<EngineAnswer> {
      hasBegun = false;
      task = Promise.withResolvers<EngineAnswer>();
      return task;
    },
  };
}

/**
 * Kills the innermost process: the programs around it exit after it, so that nothing writes to its folder once they
 * have exited. If bwrap were killed while it starts, its child would wait for it forever.
 */
function killFromInside(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const innermost = findInnermost(child.pid);
  // It may have just exited.
  try {
    process.kill(innermost, 'SIGKILL');
  } catch {}
  if (innermost !== child.pid) setTimeout(() => child.kill('SIGKILL'), patience.stopped).unref();
}

/** Kills a child at its limits. Returns a function that stops watching. */
function watchLimits(child: ReturnType<typeof watchProcess>, options: ChildOptions): () => void {
  const { written } = child.readState();
  const spent = { task: 0, beginning: 0, stopped: 0 };
  let last = performance.now();
  const watch = setInterval(() => {
    const now = performance.now();
    // While this process does not run, for example because the machine is suspended, the engine does not run either.
    const passed = Math.min(now - last, 10 * watchMs);
    last = now;
    const state = child.readState();
    spent.task += passed;
    spent.beginning = child.hasBegun() ? 0 : spent.beginning + passed;
    spent.stopped = state.isStopped ? spent.stopped + passed : 0;
    if (state.resident > options.memoryBytes) child.kill('memory');
    else if (state.written - written > options.diskBytes) child.kill('disk');
    else if (spent.stopped > patience.stopped || spent.beginning > patience.begin)
      child.kill('interrupted');
    else if (spent.task > options.timeMs) child.kill('time');
  }, watchMs);
  return () => clearInterval(watch);
}

/** Starts an engine process in its folder, which must exist. */
export function startChild(options: ChildOptions): EngineChild {
  const child = watchProcess(startProcess(options));

  return {
    folder: options.folder,
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
      const endWatch = watchLimits(child, options);
      // A child that has already exited sends no more messages: reject its task here.
      child.process.send(task, (error) => {
        if (error !== null) answer.reject(new EngineInterrupted('it had exited'));
      });
      return answer.promise.finally(() => {
        endWatch();
        signal?.removeEventListener('abort', abort);
      });
    },
    isUsable: child.isUsable,
    isSwollen: () => child.readState().resident > options.memoryBytes / 2,
    kill: () => child.kill('exit'),
  };
}
