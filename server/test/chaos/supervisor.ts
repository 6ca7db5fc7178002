/** A process supervisor such as operators use: starts a process, and restarts it when it exits. */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A process that is restarted whenever it exits. */
export interface Supervised {
  readonly name: string;
  /** The process id of the current start. */
  pid(): number;
  /** Whether the current start has reported that it is ready. */
  isReady(): boolean;
  /** Kills the process, or its whole process group; resolves when it is gone. It is started again. */
  kill(what: 'process' | 'group'): Promise<void>;
  /** Stops it permanently, with SIGTERM. */
  stop(): Promise<void>;
}

/** What the supervisor records about a process. */
export interface Incidents {
  /** Records something that needs attention: the process exited although no one killed it. */
  report(incident: string): void;
}

/** Starts a process, with its output on pipes and in its own process group. */
export type Start = () => ChildProcess;

interface Current {
  readonly child: ChildProcess;
  readonly gone: Promise<void>;
  isReady: boolean;
  isKilled: boolean;
  /** The last part of its output. */
  lastLines: string[];
}

/** Log lines that never appear while a process works correctly. */
const alarming = /unhandled|uncaught|Node\.js v\d|"level":"fatal"/i;

export function supervise(name: string, start: Start, { report }: Incidents): Supervised {
  let isStopping = false;
  const begin = (): Current => {
    const child = start();
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const next: Current = { child, gone, isReady: false, isKilled: false, lastLines: [] };
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('its output must be on pipes');
    createInterface(stdout).on('line', (line) => {
      next.isReady ||= line.includes('is ready');
    });
    createInterface(stderr).on('line', (line) => {
      next.lastLines = [...next.lastLines, line].slice(-20);
      if (alarming.test(line)) report(`${name} wrote: ${line}`);
    });
    void gone.then(() => {
      // a start that fails because the database was killed during it is repeated, as documented
      if (next.isReady && !next.isKilled && !isStopping) {
        const { exitCode, signalCode } = child;
        const end = next.lastLines.join('\n');
        report(`${name} ended with ${exitCode ?? signalCode}, although no one stopped it:\n${end}`);
      }
      if (!isStopping) current = begin();
    });
    return next;
  };
  let current = begin();
  const pid = (): number => current.child.pid ?? Number.NaN;
  return {
    name,
    pid,
    isReady: () => current.isReady,
    async kill(what) {
      const { child, gone } = current;
      if (child.exitCode === null && child.signalCode === null) {
        current.isKilled = true;
        process.kill(what === 'group' ? -pid() : pid(), 'SIGKILL');
      }
      await gone;
    },
    async stop() {
      isStopping = true;
      const { child, gone } = current;
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await gone;
      if (child.exitCode !== 0) report(`${name} did not shut down cleanly: ${child.exitCode}`);
    },
  };
}
