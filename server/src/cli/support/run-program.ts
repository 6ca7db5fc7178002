/** What the two programs, `recodery` and `recodery-remote`, share: how they print errors, and how they end. */
import { Command, CommanderError } from 'commander';
import { CommandRefused, WrongUse } from './command.ts';

/** Exit codes: done, refused or failed, usage error. */
export const exit = { done: 0, refused: 1, wrongUse: 2 };

/** A program without commands. */
export function createCommand(name: string, description: string, version: string): Command {
  return new Command(name)
    .description(description)
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(hideValues(text)) })
    .showHelpAfterError('(use --help for details)')
    .helpCommand(false);
}

/** An error of commander without the values that it repeats: one of them may contain a password, or be one. */
function hideValues(text: string): string {
  return text
    .replace(/ (value )?'.*' is invalid/s, ' $1is invalid')
    .replace(/(unknown option '-[\w-]*)=.*'/s, "$1'")
    .replace(/(but got \d+): .*\.$/ms, '$1.');
}

/** Prints the error of a command of the program `name`, and returns the exit code. */
export function reportError(error: unknown, name = 'recodery'): number {
  if (error instanceof CommanderError) {
    // Commander has already printed it; requested help is not an error.
    return error.exitCode === 0 ? exit.done : exit.wrongUse;
  }
  const isRefused = error instanceof CommandRefused;
  if (isRefused || error instanceof WrongUse)
    return complain(error.message, isRefused ? exit.refused : exit.wrongUse, name);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return complain(describeDisk(error) ?? text, exit.refused, name);
}

/** The message for a disk that is full or refuses access; null for any other error. */
function describeDisk(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // of the system, of PostgreSQL, and of SQLite, whose files are our locks
  if (['ENOSPC', 'EDQUOT', '53100'].includes(String(code)) || errcode === 13)
    return `A disk is full (${error.message}). Free up space for the data folder and the stored files, then try again.`;
  if (['EACCES', 'EPERM', 'EROFS'].includes(String(code)))
    return `Access was denied (${error.message}). Check who owns this file or folder, and whether it can be written.`;
  return describeDisk(error.cause);
}

/** Prints a message of the program `name` on stderr, and returns the exit code. */
export function complain(message: string, code: number, name = 'recodery'): number {
  process.stderr.write(`${name}: ${message}\n`);
  return code;
}

/** Runs a program, then exits with the exit code that it returns. */
export async function exitAfter(run: () => Promise<number>): Promise<void> {
  // A reader such as `head` may close a pipe early: the command still finishes its work.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  const code = await run();
  // Flush output to a pipe before the process ends.
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit(code);
}

/** What a command writes: its output to stdout, messages to the user to stderr. */
export const output = {
  answer: (text: string) => void process.stdout.write(`${text}\n`),
  say: (text: string) => void process.stderr.write(`${text}\n`),
};
