/**
 * The program `recodery-remote`: the commands of `recodery remote` alone. `npm run pack-remote` makes one file of it that
 * needs only Node.
 */
import { basename } from 'node:path';
import { addRemoteCommands } from './remote.ts';
import { createCommand, exit, exitAfter, output, reportError } from '../support/run-program.ts';

declare const recoderyVersion: string;

/** The file that was started: it can be installed under its name, or copied under another one. */
const name = basename(process.argv[1] ?? 'recodery-remote', '.mjs');

/** Runs the command line and returns the exit code. */
async function runRemote(words: readonly string[]): Promise<number> {
  try {
    const description = 'Decodes and encodes tuning files on a Recodery portal.';
    const program = createCommand(name, description, recoderyVersion);
    addRemoteCommands(program, output);
    await program.parseAsync(words, { from: 'user' });
    return exit.done;
  } catch (error) {
    return reportError(error, name);
  }
}

await exitAfter(() => runRemote(process.argv.slice(2)));
