/**
 * One engine process: started in its sandbox, monitored while it works, and killed when necessary.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { CodecError } from '@recodery/codec/errors';
import { createAssembler, packMessage } from './frames.ts';
import { readMessage } from './messages.ts';
import { findInnermost, type ProcessState, readProcessState } from './process-state.ts';
import { engineEntry } from './program-files.ts';
import { makeSandboxCommand, type SandboxOptions } from './sandbox-command.ts';
import { sealProcess } from './seal.ts';
import type { EngineAnswer, EngineMessage, EngineTask } from './task.ts';

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
/** Characters of an engine's stack that are logged. */
const longestStack = 4000;
/**
 * Milliseconds within which a process must start, within which it must begin a task, and for which it may be stopped by
 * a signal.
 */
const patience = { start: 30_000, begin: 15_000, stopped: 2_000 };

/** A process that could not be started, for example because there are no more file handles, has no pipes. */
function startProcess(options: ChildOptions): ChildProcess {
  const [first, ...others] = makeSandboxCommand(options);
  return spawn(first, [...others, engineEntry, pathToFileURL(options.program).href], {
    cwd: options.folder,
    env: {},
    // Plain pipes: Node's own channel would accept sockets and other handles, and use them in this process.
    stdio: 'pipe',
    // A signal to our group, such as Ctrl+C, is for us: we let engines finish their tasks.
    detached: process.platform !== 'win32',
  });
}

/** The error that an engine reports. It has a `code` only for a fault of the machine. */
function errorOf(message: EngineMessage & { readonly kind: 'fault' | 'failure' }): Error {
  if (message.kind === 'fault')
    return new CodecError(message.internalCode, message.detail, message.sizes);
  const { stack, code } = message;
  return Object.assign(
    new Error(`engine: ${stack.slice(0, longestStack)}`),
    code === null ? {} : { code },
  );
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

/** The task that a process works on: at most one. */
function trackTask({ stdin }: ChildProcess) {
  let running: {
    readonly kind: EngineTask['kind'];
    readonly answer: PromiseWithResolvers<EngineAnswer>;
  } | null = null;
  return {
    getKind: () => running?.kind ?? null,
    /** Sends a task, and returns its result. */
    send(asked: EngineTask): PromiseWithResolvers<EngineAnswer> {
      const answer = Promise.withResolvers<EngineAnswer>();
      running = { kind: asked.kind, answer };
      // A process that has already exited sends no more messages: reject its task here.
      stdin?.write(packMessage(asked), (error) => {
        if (error) answer.reject(new EngineInterrupted('it had exited'));
      });
      return answer;
    },
    /** Settles the result; false when there is no task. */
    settle(how: (answer: PromiseWithResolvers<EngineAnswer>) => void): boolean {
      const ended = running;
      running = null;
      if (ended !== null) how(ended.answer);
      return ended !== null;
    },
  };
}

/**
 * Calls back with each message of an engine; with null when it sends anything else. Returns a function for the last
 * words of its error output.
 */
function readPipes(
  { stdin, stdout, stderr }: ChildProcess,
  kindOfTask: () => EngineTask['kind'] | null,
  receive: (message: EngineMessage | null) => void,
): () => string {
  // An engine can break its pipes. If it has not exited, its time runs out.
  for (const pipe of [stdin, stdout, stderr]) pipe?.on('error', () => undefined);
  const assembler = createAssembler();
  stdout?.on('data', (piece: Buffer) => {
    const texts = assembler.push(piece);
    if (texts === null) receive(null);
    else for (const text of texts) receive(readMessage(text, kindOfTask()));
  });
  let lastWords = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2000);
  });
  return () => lastWords;
}

/** Seals an engine where this machine allows it; returns why it was refused this time, or null. */
async function sealIfPossible(
  pid: number,
  { isolation, account }: SandboxOptions,
): Promise<string | null> {
  return isolation.isSealed ? sealProcess(pid, account) : null;
}

/** Why and when we killed a process. */
function trackKill(kill: () => void) {
  let killed: { readonly cause: KillCause; readonly details: string } | null = null;
  return {
    isKilled: () => killed !== null,
    getCause: () => killed?.cause ?? null,
    getDetails: () => killed?.details ?? '',
    kill(cause: KillCause, details = ''): void {
      if (killed !== null) return;
      killed = { cause, details };
      kill();
    },
    /** It has exited: there is nothing to kill any more. */
    end(): void {
      killed ??= { cause: null, details: '' };
    },
  };
}

/** Monitors a process from its start to its end. */
function watchProcess(child: ChildProcess, options: SandboxOptions) {
  const ready = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const task = trackTask(child);
  let isReady = false;
  let hasBegun = false;
  /** Whether it can start no other process: it is sealed before it gets its first task. */
  let isAlone = false;
  /** The engine itself, below the programs that created its namespaces. */
  let innermost: number | null = null;

  const ending = trackKill(() => killFromInside(child, innermost));
  const { kill, isKilled } = ending;
  const startClock = setTimeout(() => kill('interrupted'), patience.start);
  const end = (how: string): void => {
    clearTimeout(startClock);
    ending.end();
    const error = describeEnd(ending.getCause(), how, ending.getDetails() || getLastWords());
    ready.reject(error);
    task.settle(({ reject }) => reject(error));
    gone.resolve();
  };
  const receive = (message: EngineMessage | null): void => {
    // Code of a hostile file could send anything, also after the message for which it is killed.
    if (isKilled()) return;
    if (message === null) return kill('exit');
    // each once, at its time: code that has stayed in an idle process must not keep this one busy
    if (message.kind === 'ready' && !isReady) {
      isReady = true;
      innermost = findInnermost(child.pid ?? 0);
      clearTimeout(startClock);
      // it fails if the engine has exited; without its limits, it must not work
      void sealIfPossible(innermost, options).then((refusal) => {
        if (refusal !== null) return kill('interrupted', refusal);
        isAlone = options.isolation.isSealed;
        ready.resolve();
      });
    } else if (message.kind === 'begun' && !hasBegun && task.getKind() !== null) {
      hasBegun = true;
    } else if (message.kind === 'ready' || message.kind === 'begun') {
      kill('exit');
    } else {
      const isWanted = task.settle(({ resolve, reject }) =>
        message.kind === 'answer' ? resolve(message.answer) : reject(errorOf(message)),
      );
      if (!isWanted) kill('exit');
    }
  };
  const getLastWords = readPipes(child, task.getKind, receive);
  child.once('error', (error) => end(error.message));
  child.once('exit', (code, signal) => end(signal ?? `code ${code}`));
  // Waiting callers get the error; without callers, it must not be reported as unhandled.
  ready.promise.catch(() => undefined);

  return {
    ready: ready.promise,
    gone: gone.promise,
    isUsable: () => !isKilled(),
    readState: (): ProcessState => readProcessState(innermost ?? child.pid ?? 0, isAlone),
    /** Whether it has reported that it works on its task. */
    hasBegun: () => hasBegun,
    /** Kills it, and remembers why. */
    kill,
    /** Sends a task, and returns its result. */
    send(asked: EngineTask): PromiseWithResolvers<EngineAnswer> {
      hasBegun = false;
      return task.send(asked);
    },
  };
}

/**
 * Kills the innermost process: the programs around it exit after it, so that nothing writes to its folder once they
 * have exited. If bwrap were killed while it starts, its child would wait for it forever.
 */
function killFromInside(child: ChildProcess, known: number | null): void {
  if (child.pid === undefined) return;
  const innermost = known ?? findInnermost(child.pid);
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
  const child = watchProcess(startProcess(options), options);

  return {
    folder: options.folder,
    ready: child.ready,
    gone: child.gone,
    async run(task, signal) {
      signal?.throwIfAborted();
      const answer = child.send(task);
      const abort = (): void => {
        answer.reject(signal?.reason);
        child.kill('exit');
      };
      signal?.addEventListener('abort', abort);
      const endWatch = watchLimits(child, options);
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
