/**
 * The program `recodery-remote`: the commands of `recodery remote` alone. `npm run pack-remote` makes one file of it that
 * needs only Node.
 */
import { addRemoteCommands } from './remote.ts';
import { createCommand, exit, exitAfter, output, reportError } from './support/run-program.ts';

declare const recoderyVersion: string;

/** Runs the command line and returns the exit code. */
async function runRemote(words: readonly string[]): Promise<number> {
  try {
    const description = 'Decodes and encodes tuning files on a Recodery portal.';
    const program = createCommand('recodery-remote', description, recoderyVersion);
    addRemoteCommands(program, output);
    await program.parseAsync(words, { from: 'user' });
    return exit.done;
  } catch (error) {
    return reportError(error);
  }
}

await exitAfter(() => runRemote(process.argv.slice(2)));
