/** The built program of an engine process, and the only files that it can read: `tools/launch/build.mjs` makes them. */
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../dist/engine');

/** The program that engine processes run. */
export const engineProgram = join(folder, 'engine-process.mjs');
/** What every engine process starts with; it loads the program. */
export const engineEntry = join(folder, 'entry.mjs');

/** What every engine can read. */
export const readable: readonly string[] = [folder];
