/**
 * `npm run bench`: runs every benchmark (each file in a folder of `bench/` other than `support`), or the named ones; each
 * defines its own limits.
 */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { projectDir, runStep } from './steps.ts';

/** Runs the benchmarks one after the other, so that they do not disturb each other; returns the exit code. */
export async function run(names: readonly string[]): Promise<number> {
  const files = (await readdir(join(projectDir, 'bench'), { recursive: true }))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('support'))
    .toSorted();
  const nameOf = (file: string): string => basename(file, '.ts');
  const chosen = files.filter((file) => names.length === 0 || names.includes(nameOf(file)));
  if (chosen.length === 0) {
    process.stderr.write(
      `Unknown benchmark. The benchmarks are ${files.map(nameOf).join(', ')}.\n`,
    );
    return 2;
  }
  let hasPassed = true;
  for (const file of chosen) {
    const result = await runStep({ name: file, script: join('bench', file), words: [] }, true);
    hasPassed &&= result.hasPassed;
  }
  return hasPassed ? 0 : 1;
}
