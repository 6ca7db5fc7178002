/** Searches several targets, as many at a time as there are processors, and describes what was found. */
import { availableParallelism } from 'node:os';
import { saveFinding } from './corpus.ts';
import { superviseTarget, type TargetResult } from './supervise.ts';
import type { TargetEntry } from './targets.ts';

/** Searches the targets for `seconds` in total; prints a line for each, and each finding with its input. */
export async function searchTargets(
  entries: readonly TargetEntry[],
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Promise<readonly TargetResult[]> {
  const lanes = Math.min(availableParallelism(), entries.length);
  const each = (seconds * lanes) / entries.length;
  const waiting = [...entries];
  const results: TargetResult[] = [];
  const lane = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const result = await superviseTarget(entry, { seed, seconds: each });
      results.push(result);
      process.stdout.write(describeResult(result));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return entries.flatMap(({ name }) => results.filter((result) => result.name === name));
}

/** How much of the source has run, in percent. */
function percentOf({ covered, all }: Pick<TargetResult, 'covered' | 'all'>): string {
  return all === 0 ? '–' : `${((100 * covered) / all).toFixed(1)}%`;
}

function describeResult(result: TargetResult): string {
  const { name, executions, found, finding } = result;
  if (finding !== null) return describeFinding(name, finding);
  const numbers = [
    `${executions} executions`,
    `${percentOf(result)} of the source has run`,
    `${found.length} new inputs`,
  ];
  return `✓ ${name}: ${numbers.join(', ')}\n`;
}

/** Saves the input, and prints where it is and how to keep it. */
function describeFinding(
  name: string,
  { input, error }: NonNullable<TargetResult['finding']>,
): string {
  const file = saveFinding(name, input);
  return [
    `✗ ${name}: found an input of ${input.length} bytes`,
    ...error.split('\n').map((line) => `    ${line}`),
    `  saved as ${file}; copy it to tools/fuzz/corpus/${name}/ to keep it as a test`,
    `  in Base64: ${Buffer.from(input).toString('base64')}`,
    '',
  ].join('\n');
}
