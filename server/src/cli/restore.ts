/** `recodery restore`: restores a data folder from a backup. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isEmbedded } from '../backup/backup-scope.ts';
import { describeBytes } from '../upkeep/describe-bytes.ts';
import { restoreBackup } from '../backup/restore.ts';
import { openLog } from '../config/log.ts';
import { type AddCommand, CommandRefused, type CommandTools } from './support/command.ts';
import { throttle } from './support/progress.ts';

export const addRestore: AddCommand = (program, tools) => {
  program
    .command('restore')
    .argument('<file>', 'a backup file')
    .option('--replace', 'replace the data in the folder, after the whole backup has been restored')
    .description('restore the data folder from a backup; stop Recodery first')
    .action((file: string, { replace }: { replace?: boolean }) =>
      restore(tools, file, replace ?? false),
    );
};

async function restore(tools: CommandTools, file: string, mayReplace: boolean): Promise<void> {
  const config = tools.config();
  if (!isEmbedded(config)) {
    throw new CommandRefused(
      'restore supports only the embedded database and the files in the data folder. Unset RECODERY_DATABASE_URL and RECODERY_STORAGE_URL.',
    );
  }
  const path = resolve(file);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new CommandRefused(`${path} is a folder. Pass one of the backup files in it.`);
  }
  const log = openLog().child({}, { level: 'warn' });
  const onProgress = throttle((share: number) => tools.say(`${Math.floor(share * 100)}% …`));
  const options = { config, log, mayReplace, onStep: tools.say, onProgress };
  const answer = await restoreBackup(path, options);
  const { manifest, rows, files, bytes, missing } = answer;
  const sum = Object.values(rows).reduce((total, count) => total + count, 0);
  tools.answer(
    `Restored ${config.dataDir} to its state as of ${manifest.takenOn}: ${sum} rows and ${files} files (${describeBytes(bytes)}).`,
  );
  if (missing.length > 0) {
    tools.say(
      `Warning: files that were missing when the backup was created: ${missing.length}. They are now marked as deleted.`,
    );
  }
  tools.say('All users must sign in again.');
}
