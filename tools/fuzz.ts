/**
 * `npm run fuzz`: searches for inputs that break the code that reads bytes from outside, for ten minutes. Options:
 * `--seconds N`, `--seed N`, `--target NAME` (more than once). Without `--seconds` and `--target` it keeps the inputs
 * that ran new code.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { keepInputs } from './fuzz/corpus.ts';
import { searchTargets } from './fuzz/search.ts';
import { targets } from './fuzz/targets.ts';

/** Seconds of a whole run. */
const wholeRun = 600;

/** Runs the search; returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seconds: { type: 'string' },
      seed: { type: 'string' },
      target: { type: 'string', multiple: true },
    },
  });
  const chosen = targets.filter(({ name }) => values.target?.includes(name) ?? true);
  const seconds = Number(values.seconds ?? wholeRun);
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  if (chosen.length < (values.target?.length ?? 1) || !(seconds > 0) || !Number.isInteger(seed)) {
    const names = targets.map(({ name }) => name).join(', ');
    process.stderr.write(`Usage: --seconds N --seed N --target NAME; the targets are ${names}.\n`);
    return 2;
  }
  process.stdout.write(`seed ${seed}, ${seconds} s\n`);
  const results = await searchTargets(chosen, { seed, seconds });
  const found = results.filter(({ finding }) => finding !== null).length;
  if (values.seconds === undefined && values.target === undefined) {
    for (const result of results) {
      const kept = keepInputs(result.name, result.found);
      process.stdout.write(`kept ${kept} of ${result.found.length} inputs of ${result.name}\n`);
    }
  }
  process.stdout.write(`${results.length} targets, ${found} findings, seed ${seed}\n`);
  return found === 0 ? 0 : 1;
}
