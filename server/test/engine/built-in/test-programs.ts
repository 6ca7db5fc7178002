/** Programs of engine processes that do what no engine should, built as the engine's own is. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { readable } from '../../../src/engine/built-in/program-files.ts';

const rolldown = join(import.meta.dirname, '../../../../node_modules/rolldown/bin/cli.mjs');

/** The options of a pool whose engines run a program of `programs/`. */
export async function buildProgram(name: string) {
  const folder = await mkdtemp(join(inject('engineFolder'), 'program-'));
  // engines with their own account need to read it
  await chmod(folder, 0o755);
  const program = join(folder, `${name}.mjs`);
  const source = join(import.meta.dirname, 'programs', `${name}.ts`);
  const words = [rolldown, source, '--file', program, '--format', 'esm', '--platform', 'node'];
  await promisify(execFile)(process.execPath, words);
  return { program, readable: [...readable, folder] };
}
