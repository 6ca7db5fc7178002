/** What a searching thread and its supervisor exchange: the task, the result, and the current input. */
import type { Reached } from './coverage.ts';
import type { Explored } from './explore.ts';
import { longestInput } from './target.ts';
import type { TargetEntry } from './targets.ts';

/** The task of a thread. */
export interface WorkerOrder {
  readonly entry: TargetEntry;
  readonly seed: number;
  /** How long to search; the inputs at the start run in any case. */
  readonly seconds: number;
  /** See {@link readCurrent}. */
  readonly shared: SharedArrayBuffer;
}

/** The result when it has finished. */
export type WorkerAnswer = Explored & Reached;

/** Bytes before the current input: the number of executions, and the input's length. */
const head = 8;

/** Memory that a thread shares with its supervisor. */
export function makeShared(): SharedArrayBuffer {
  return new SharedArrayBuffer(head + longestInput);
}

/** The executions so far, and the current input. */
export function readCurrent(shared: SharedArrayBuffer): { executions: number; input: Uint8Array } {
  const [executions = 0, length = 0] = new Int32Array(shared, 0, 2);
  return { executions, input: new Uint8Array(shared, head, length).slice() };
}

/** Records that the next input runs. */
export function writeCurrent(shared: SharedArrayBuffer, input: Uint8Array): void {
  const numbers = new Int32Array(shared, 0, 2);
  new Uint8Array(shared, head).set(input);
  numbers[1] = input.length;
  numbers[0] = (numbers[0] ?? 0) + 1;
}
