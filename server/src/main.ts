/** The entry of the program: what the launcher runs under Node 24. */
import { runProgram } from './cli/program.ts';

/** Runs the command line with the words after the program's name, then ends the process with its exit code. */
export async function main(words: readonly string[]): Promise<void> {
  const code = await runProgram(words);
  // What was written to a pipe must be out before the end.
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit(code);
}
