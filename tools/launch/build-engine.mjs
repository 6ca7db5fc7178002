/** Builds the program of the engines if its sources have changed: for what starts engines without the launcher. */
import { ensureBuilt } from './build.mjs';

if (!(await ensureBuilt(process.execPath, ['engine']))) process.exitCode = 1;
