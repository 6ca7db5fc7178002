/** Builds the packages and the program of the engines if they have changed: for what starts them without the launcher. */
import { ensureBuilt } from './build.mjs';

if (!(await ensureBuilt(process.execPath, ['packages', 'engine']))) process.exitCode = 1;
