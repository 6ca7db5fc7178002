/** The interface of command files: to add a command, write its file and list it in `program.ts`. */
import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import type { Platform } from '../../platform.ts';

/** The tools of a command. */
export interface CommandTools {
  /** The configuration, read on first use. */
  config(): Config;
  /** Opens the database (with a running portal, or alone) for the duration of `work`. */
  withPlatform<T>(work: (platform: Platform) => Promise<T>): Promise<T>;
  /** Adds what the command has done to its entry in the audit trail; never a secret. */
  note(done: Readonly<Record<string, unknown>>): void;
  /** Writes the command's output to stdout, with a line end. Nothing else is written there. */
  answer(text: string): void;
  /** Writes a message to the user on stderr. */
  say(text: string): void;
}

/** Adds one command, with its subcommands, to the program. */
export type AddCommand = (program: Command, tools: CommandTools) => void;

/** The command is valid but was refused: exit code 1, the message on stderr. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** The command line is invalid: exit code 2, the message on stderr. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}
