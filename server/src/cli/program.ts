/** The command line: its list of commands, and the handling of everything they throw. */
import { CodecError } from '@recodery/codec/errors';
import { Refusal } from '@recodery/contract/refusal';
import type { Command } from 'commander';
import { CannotStart } from '../config/cannot-start.ts';
import { type Config, projectDir, readConfig, WrongSetting } from '../config/config.ts';
import { readVersion } from '../config/version.ts';
import type { AuditEvent } from '../audit/audit.ts';
import type { Platform } from '../platform.ts';
import { DatabaseUnavailable } from '../postgres/unavailable.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { type AddCommand, CommandRefused, type CommandTools } from './support/command.ts';
import { explainFault } from './support/error-texts.ts';
import { complain, createCommand, exit, output, reportError } from './support/run-program.ts';

/**
 * Every command of the program, in the order of the help. Only the files of the command that runs are loaded: `remote`
 * needs no database, and starts quickly without it.
 */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./installation/serve.ts')).addServe,
  migrate: async () => (await import('./installation/migrate.ts')).addMigrate,
  directory: async () => (await import('./directory.ts')).addDirectory,
  'setup-link': async () => (await import('./installation/setup-link.ts')).addSetupLink,
  user: async () => (await import('./user.ts')).addUser,
  'sign-in': async () => (await import('./sign-in.ts')).addSignIn,
  client: async () => (await import('./client.ts')).addClientCommands,
  engine: async () => (await import('./engine/engine.ts')).addEngine,
  webhook: async () => (await import('./webhook.ts')).addWebhookCommands,
  originals: async () => (await import('./originals.ts')).addOriginals,
  message: async () => (await import('./message.ts')).addMessageCommands,
  email: async () => (await import('./email.ts')).addEmail,
  storage: async () => (await import('./installation/storage.ts')).addStorage,
  maintenance: async () => (await import('./installation/maintenance.ts')).addMaintenance,
  device: async () => (await import('./device.ts')).addDevice,
  remote: async () => (await import('./remote/remote.ts')).addRemote,
  secret: async () => (await import('./installation/secret.ts')).addSecret,
  receipt: async () => (await import('./receipt.ts')).addReceipt,
  audit: async () => (await import('./installation/audit.ts')).addAudit,
  backup: async () => (await import('./installation/backup.ts')).addBackup,
  restore: async () => (await import('./installation/restore.ts')).addRestore,
  doctor: async () => (await import('./installation/doctor.ts')).addDoctor,
};

/**
 * Runs the command line and returns the exit code.
 * @param words the arguments after the program name
 */
export async function runProgram(words: readonly string[]): Promise<number> {
  // The error handler of the command line, as `http/problem` is that of the portal.
  try {
    const program = await createProgram(words[0]);
    await program.parseAsync(words, { from: 'user' });
    return exit.done;
  } catch (error) {
    return report(error);
  }
}

/** The program with the named command, or with all commands if there is none of that name, as for the help. */
async function createProgram(name = ''): Promise<Command> {
  const description = 'Tuning-file portal and device simulator.';
  const program = createCommand('recodery', description, readVersion(projectDir));
  const running: RunningCommand = { words: '', args: [], options: {}, done: {} };
  program.hook('preAction', (_, command) => {
    Object.assign(running, describeCommand(command));
  });
  const tools = createTools(running);
  const chosen = Object.hasOwn(commands, name) ? [commands[name]] : Object.values(commands);
  for (const load of chosen) (await load?.())?.(program, tools);
  // `recodery device --help` shows everything that `recodery device help` would.
  for (const command of program.commands) command.helpCommand(false);
  return program;
}

/** The command that runs: `user invite`, its arguments and its options. */
interface RunningCommand {
  readonly words: string;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  /** What it has done, as far as it notes that. */
  readonly done: Readonly<Record<string, unknown>>;
}

function describeCommand(command: Command): Omit<RunningCommand, 'done'> {
  const names: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name());
  return { words: names.join(' '), args: command.args, options: command.opts() };
}

/** Commands that change nothing and reveal no secret. */
const unrecorded =
  /^(serve|migrate|doctor|audit \w+|receipt verify|\w+ list|webhook deliveries|engine test|storage result)$/;

/** A backup would contain its own unfinished entry. */
const recordedAfterwards = /^backup$/;

/** The event of a command of the operator, under the account on this machine, without its outcome. */
async function describeEvent({ db }: Platform, { words, args, options, done }: RunningCommand) {
  const { operatorActor } = await import('../audit/audit.ts');
  const { findOrganisationByCode } = await import('../organisations/organisations.ts');
  const { customerCode, url } = options;
  const organisation =
    typeof customerCode === 'string' ? await findOrganisationByCode(db, customerCode) : null;
  // the rest of an address may contain a password; no other option contains a secret
  const shown = 'url' in options ? { ...options, url: URL.parse(String(url))?.origin } : options;
  return {
    actor: operatorActor(),
    ...(organisation === null ? {} : { organisation }),
    action: words,
    object: { ...(args.length === 0 ? {} : { arguments: args }), ...shown, ...done },
  };
}

/** Announces a command in the audit trail. The returned function records its outcome. */
async function announceCommand(
  platform: Platform,
  running: RunningCommand,
): Promise<(outcome: 'done' | 'refused') => Promise<void>> {
  if (unrecorded.test(running.words)) return async () => undefined;
  const { announceAudit, recordAudit } = await import('../audit/audit.ts');
  const { db } = platform;
  const complete = recordedAfterwards.test(running.words)
    ? (event: AuditEvent) => recordAudit(db, event)
    : await announceAudit(db, await describeEvent(platform, running));
  // described again: the command may have created the organisation
  return async (outcome) => complete({ ...(await describeEvent(platform, running)), outcome });
}

function createTools(running: RunningCommand): CommandTools {
  let read: Config | null = null;
  const config = (): Config => {
    read ??= readConfig();
    return read;
  };
  return {
    config,
    async withPlatform(work) {
      const { openLog } = await import('../config/log.ts');
      const { openPlatform } = await import('../platform.ts');
      const log = openLog().child({}, { level: 'warn' });
      const open = await openPlatform(config(), log, { as: 'command' });
      try {
        const end = await announceCommand(open.platform, running);
        const result = await work(open.platform).catch(async (error: unknown) => {
          // after any other error, a part of the work may be done: the announced entry stays
          if (error instanceof CommandRefused || error instanceof Refusal)
            await end('refused').catch(() => undefined);
          throw error;
        });
        await end('done');
        return result;
      } finally {
        await open.close();
      }
    },
    note(done) {
      Object.assign(running, { done });
    },
    ...output,
  };
}

function report(error: unknown): number {
  if (error instanceof CodecError) {
    return complain(explainFault(error.internalCode), exit.refused);
  }
  if (error instanceof Refusal) {
    return complain(error.code, exit.refused);
  }
  if (
    error instanceof CannotStart ||
    error instanceof DatabaseUnavailable ||
    error instanceof StorageUnavailable
  ) {
    return complain(error.message, exit.refused);
  }
  if (error instanceof WrongSetting) return complain(error.message, exit.wrongUse);
  const fault = describePort(error);
  return fault === null ? reportError(error) : complain(fault, exit.refused);
}

/** The message for a port that cannot be used; null for any other error. */
function describePort(error: unknown): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || error.syscall !== 'listen') return null;
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  const reason =
    code === 'EADDRINUSE' ? 'is used by another program' : `is not available (${code})`;
  return `Port ${port} of ${address} ${reason}. Set RECODERY_PORT or RECODERY_HOST.`;
}
