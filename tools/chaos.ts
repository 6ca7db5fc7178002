/**
 * `npm run chaos`: kills an installation at random while users recode, and proves that nothing was lost. `--kills 200`,
 * `--layout embedded` or `--layout "roles apart"`; `--seed` repeats the decisions of a run.
 */
import { runStep } from './steps.ts';

/** Runs the test; returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const script = 'server/test/chaos/command.ts';
  const { hasPassed } = await runStep({ name: 'chaos', script, words }, true);
  return hasPassed ? 0 : 1;
}
