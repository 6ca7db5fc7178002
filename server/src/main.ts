/** Program entry point: the launcher runs this file under Node 24. */
import { runProgram } from './cli/program.ts';

/**
 * Runs the command line with the arguments after the program name, then exits with the command's exit code.
 */
export async function main(words: readonly string[]): Promise<void> {
  // A reader such as `head` may close a pipe early: the command still finishes its work.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  const code = await runProgram(words);
  // Flush output to a pipe before the process ends.
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit(code);
}
