/** `npm run check`: all fast checks before a commit. */
import { checkSteps } from './checks/check-steps.ts';
import { runSteps } from './steps.ts';

/** Runs the checks and the fast tests; returns the exit code. */
export async function run(): Promise<number> {
  const quickTests = {
    name: 'quick tests',
    script: 'node_modules/vitest/vitest.mjs',
    // The project `slow` is for `npm test`.
    words: [
      'run',
      ...['pure', 'server', 'web', 'web-browser'].map((project) => `--project=${project}`),
    ],
  };
  const results = await runSteps([...checkSteps, quickTests]);
  const failed = results.filter(({ hasPassed }) => !hasPassed);
  if (failed.length > 0) {
    process.stdout.write(`failed: ${failed.map(({ name }) => name).join(', ')}\n`);
  }
  return failed.length === 0 ? 0 : 1;
}
