/** The real engine program, but the process exits instead of explaining why a file does not fit. */
import { workOn as reallyWorkOn } from '../../../../src/engine/built-in/engine-process.ts';
import type { EngineTask } from '../../../../src/engine/built-in/task.ts';

/**
 * The program of these engines; see `EngineProgram`.
 * @public `entry.ts` imports it by its path
 */
export function workOn(task: EngineTask): unknown {
  return task.kind === 'diagnose' ? process.exit(7) : reallyWorkOn(task);
}
