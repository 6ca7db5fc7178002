/** What the operating system reports about a running engine: memory, bytes written, and whether it is stopped. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process at one moment. */
export interface ProcessState {
  /** Bytes resident. */
  readonly resident: number;
  /** Bytes written since its start; 0 where the system does not report them. */
  readonly written: number;
  /** Whether a signal has stopped it. */
  readonly isStopped: boolean;
}

const ended: ProcessState = { resident: 0, written: 0, isStopped: false };

/**
 * The state of a process with all that it has started; zeros if it has exited. `isAlone`: it cannot start any, so that
 * there are none to search for. Systems other than Linux use `ps`, which is slower, and only for the process itself.
 */
export function readProcessState(pid: number, isAlone = false): ProcessState {
  if (process.platform === 'win32') return ended;
  if (process.platform !== 'linux') return askPs(pid);
  const own = readOne(pid);
  if (isAlone) return own;
  const others = listChildren(pid).map((child) => readProcessState(child));
  const sum = (part: 'resident' | 'written') =>
    others.reduce((total, other) => total + other[part], own[part]);
  return { ...own, resident: sum('resident'), written: sum('written') };
}

function readOne(pid: number): ProcessState {
  const status = readProcFile(pid, 'status');
  const io = readProcFile(pid, 'io');
  const numberIn = (text: string, line: RegExp): number => Number(line.exec(text)?.[1] ?? 0);
  return {
    resident: numberIn(status, /^VmRSS:\s*(\d+) kB$/m) * 1024,
    // The first counts calls that write, the second also pages that were written through memory.
    written: Math.max(numberIn(io, /^wchar: (\d+)$/m), numberIn(io, /^write_bytes: (\d+)$/m)),
    isStopped: /^State:\s*[Tt]/m.test(status),
  };
}

function askPs(pid: number): ProcessState {
  const { stdout } = spawnSync('ps', ['-o', 'rss=,state=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const [size, state = ''] = stdout.trim().split(/\s+/);
  return { resident: (Number(size) || 0) * 1024, written: 0, isStopped: /^T/i.test(state) };
}

function readProcFile(pid: number, name: string): string {
  // The process may exit between two checks; it then counts as using nothing.
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/**
 * The process at the end of the line that starts with this one: the programs that create namespaces each wait for one
 * child, and the last one is the engine.
 */
export function findInnermost(pid: number): number {
  const [child] = listChildren(pid, [String(pid)]);
  return child === undefined ? pid : findInnermost(child);
}

/** The processes that a process has started: each belongs to the thread that started it. */
function listChildren(pid: number, threads = listThreads(pid)): readonly number[] {
  return threads.flatMap((thread) =>
    (readProcFile(pid, `task/${thread}/children`).match(/\d+/g) ?? []).map(Number),
  );
}

function listThreads(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
