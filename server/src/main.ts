/** Program entry point: the launcher runs this file under Node 24. */
import { runProgram } from './cli/program.ts';
import { exitAfter } from './cli/support/run-program.ts';

/**
 * Runs the command line with the arguments after the program name, then exits with the command's exit code.
 */
export async function main(words: readonly string[]): Promise<void> {
  await exitAfter(() => runProgram(words));
}
