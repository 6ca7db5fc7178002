/** What every command file gets and gives: to add a command, write its file and name it in `program.ts`. */
import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import type { Platform } from '../platform.ts';

/** What commands work with. */
export interface CommandTools {
  /** The configuration, read when first asked for. */
  config(): Config;
  /** Opens the database (beside a running portal, or alone) for the time of `work`. */
  withPlatform<T>(work: (platform: Platform) => Promise<T>): Promise<T>;
  /** Writes the command's answer to stdout, with a line end. Nothing else goes there. */
  answer(text: string): void;
  /** Tells the person at the terminal something on stderr. */
  say(text: string): void;
}

/** Adds one command, with its subcommands, to the program. */
export type AddCommand = (program: Command, tools: CommandTools) => void;

/** The command understood and says no: exit code 1, the message on stderr. */
export class CommandRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandRefused';
  }
}

/** The command was called in a way that cannot be meant: exit code 2, the message on stderr. */
export class WrongUse extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongUse';
  }
}
