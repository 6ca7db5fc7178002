/** `recodery backup`: database and files, together in one file. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { openStorage } from '../../storage/open-storage.ts';
import { type BackupAnswer, streamBackup, writeBackup } from '../../backup/backup.ts';
import { nameBackup, readOwnSecret } from '../../backup/backup-file.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { describeBytes } from '../../upkeep/describe-bytes.ts';
import { type AddCommand, CommandRefused, type CommandTools } from '../support/command.ts';
import { throttleProgress } from '../support/progress.ts';

export const addBackup: AddCommand = (program, tools) => {
  const command = program.command('backup');
  command
    .argument(
      '[file-or-folder]',
      'a folder for a file named after the current time, the file to write (NAME.tar), or - for stdout; default: RECODERY_BACKUP_DIR',
    )
    .description('back up the database and the stored files to a single file')
    .action((target?: string) => backup(tools, target ?? requireFolder(tools, command)));
};

/** The folder of the configuration. */
function requireFolder(tools: CommandTools, command: Command): string {
  const { backupDir } = tools.config();
  if (backupDir !== null) return `${backupDir}/`;
  return command.error(
    'error: name a folder or a file for the backup, or set RECODERY_BACKUP_DIR to a folder',
  );
}

async function backup(tools: CommandTools, target: string): Promise<void> {
  const config = tools.config();
  checkTarget(target);
  const answer = await tools.withPlatform(async (platform) => {
    const { unverified: storage } = await openStorage(config);
    const readSecret = (snapshot: Db) => readOwnSecret(platform, snapshot);
    const { db, clock } = platform;
    const { version } = config;
    const onProgress = throttleProgress((files: number, of: number) => {
      if (of > 0) tools.say(`${files} of ${of} files …`);
    });
    const deps = { db, storage, clock, version, readSecret, onProgress };
    if (target === '-') return streamBackup(deps, process.stdout);
    const path = nameTarget(target, clock.now());
    const written = await writeBackup(deps, path);
    tools.answer(path);
    return written;
  });
  describe(tools, answer);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Refuses a target that is not meant: a folder that does not exist looks like the name of a file. */
function checkTarget(target: string): void {
  if (target === '-') {
    if (!process.stdout.isTTY) return;
    throw new CommandRefused(
      'A backup cannot be written to a terminal. Redirect the output to a file or another program.',
    );
  }
  const path = resolve(target);
  if (isFolder(path)) return;
  if (/[/\\]$/.test(target) || (!target.endsWith('.tar') && !existsSync(path))) {
    throw new CommandRefused(
      `There is no folder ${path}. Create it first (mkdir ${target}), or pass the name of a new file that ends in .tar.`,
    );
  }
}

/** The file's whole path. */
function nameTarget(target: string, now: Date): string {
  const path = resolve(target);
  return isFolder(path) ? join(path, nameBackup(now)) : path;
}

function describe(tools: CommandTools, answer: BackupAnswer): void {
  const rows = Object.values(answer.rows).reduce((sum, count) => sum + count, 0);
  tools.say(`${rows} rows and ${answer.files} files (${describeBytes(answer.bytes)}) backed up.`);
  tools.say(
    answer.hasSecret
      ? 'The backup contains the secret that opens all keys. Protect it like the data folder.'
      : 'The backup does not contain your secret (RECODERY_SECRET or RECODERY_SECRET_FILE), and the keys in the backup cannot be opened without it. Back up the secret too.',
  );
  for (const key of answer.missing) tools.say(`Warning: ${key} is missing and was not backed up.`);
  for (const key of answer.damaged)
    tools.say(
      `Warning: ${key} has changed since it was stored. It was backed up in its current state.`,
    );
}
