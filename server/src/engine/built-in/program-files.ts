/** The program of an engine process, and the files that it can read. */
import { join, resolve } from 'node:path';

const inProject = (path: string): string => resolve(import.meta.dirname, '../../../..', path);

/** The program that engine processes run. */
export const engineProgram = join(import.meta.dirname, 'engine-process.ts');
/** What every engine process starts with; it loads the program. */
export const engineEntry = join(import.meta.dirname, 'entry.ts');

/** The files of the program: its own, the codec, the texts; package names are resolved through node_modules. */
export const readable: readonly string[] = [
  engineProgram,
  engineEntry,
  ...['lockdown.ts', 'engine-pipes.ts', 'frames.ts', 'task.ts'].map((name) =>
    join(import.meta.dirname, name),
  ),
  inProject('server/package.json'),
  inProject('package.json'),
  inProject('codec'),
  inProject('contract'),
  inProject('node_modules/@recodery'),
  inProject('node_modules/zod'),
];
