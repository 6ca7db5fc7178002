/** The program of an engine process, and the files that it can read. */
import { join, resolve } from 'node:path';

const inProject = (path: string): string => resolve(import.meta.dirname, '../../../..', path);

/** The program that engine processes run. */
export const engineProgram = join(import.meta.dirname, 'engine-process.ts');
/** Loaded before the program. */
export const lockdown = join(import.meta.dirname, 'lockdown.ts');

/** The files of the program: its own, the codec, the texts; package names are resolved through node_modules. */
export const readable: readonly string[] = [
  engineProgram,
  lockdown,
  join(import.meta.dirname, 'task.ts'),
  inProject('server/package.json'),
  inProject('package.json'),
  inProject('codec'),
  inProject('contract'),
  inProject('node_modules/@recodery'),
  inProject('node_modules/zod'),
];
