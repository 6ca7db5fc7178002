/** The inputs that are kept: those that once ran code which no other did, and those for which a target once broke. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../steps.ts';

const corpusDir = join(projectDir, 'tools/fuzz/corpus');
/** Outside of the repository. */
const findingsDir = join(projectDir, 'test-results/fuzz');

/** Maximum bytes of one target's corpus. */
const corpusLimit = 64 * 1024;

/** An input of the corpus, with the name of its file. */
export interface KeptInput {
  readonly file: string;
  readonly input: Uint8Array;
}

/** The corpus of a target, in the order of its files' names. */
export function readCorpus(target: string): readonly KeptInput[] {
  const folder = join(corpusDir, target);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .map((file) => ({ file, input: readFileSync(join(folder, file)) }));
}

function nameOf(input: Uint8Array): string {
  return createHash('sha256').update(input).digest('hex').slice(0, 16);
}

/** Adds inputs to the corpus of a target as long as there is room, the short ones first; returns how many. */
export function keepInputs(target: string, inputs: readonly Uint8Array[]): number {
  const folder = join(corpusDir, target);
  mkdirSync(folder, { recursive: true });
  let size = readCorpus(target).reduce((sum, { input }) => sum + input.length, 0);
  let kept = 0;
  for (const input of inputs.toSorted((one, other) => one.length - other.length)) {
    if (size + input.length > corpusLimit) break;
    writeFileSync(join(folder, nameOf(input)), input);
    size += input.length;
    kept += 1;
  }
  return kept;
}

/** Saves an input for which a target broke; returns the path of its file, relative to the project's folder. */
export function saveFinding(target: string, input: Uint8Array): string {
  mkdirSync(findingsDir, { recursive: true });
  const file = `${target}-${nameOf(input)}`;
  writeFileSync(join(findingsDir, file), input);
  return `test-results/fuzz/${file}`;
}
