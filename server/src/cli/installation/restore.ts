/** `recodery restore`: restores database and files from a backup. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeBytes } from '../../upkeep/describe-bytes.ts';
import { restoreBackup } from '../../backup/restore.ts';
import { openLog } from '../../config/log.ts';
import { type AddCommand, CommandRefused, type CommandTools } from '../support/command.ts';
import { throttleProgress } from '../support/progress.ts';

export const addRestore: AddCommand = (program, tools) => {
  program
    .command('restore')
    .argument('<file>', 'a backup file')
    .option('--replace', 'replace the data in the folder, after the whole backup has been restored')
    .description('restore the database and the files from a backup; stop Recodery first')
    .action((file: string, { replace }: { replace?: boolean }) =>
      restore(tools, file, replace ?? false),
    );
};

async function restore(tools: CommandTools, file: string, mayReplace: boolean): Promise<void> {
  const config = tools.config();
  if (mayReplace && config.databaseUrl !== null) {
    throw new CommandRefused(
      '--replace is only for the embedded database. Create a new database for the restore, and set RECODERY_DATABASE_URL to it.',
    );
  }
  if (file === '-') {
    throw new CommandRefused(
      'A backup is read twice, so it cannot be restored from stdin. Save it to a file first.',
    );
  }
  const path = resolve(file);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new CommandRefused(`${path} is a folder. Pass one of the backup files in it.`);
  }
  const log = openLog().child({}, { level: 'warn' });
  const onProgress = throttleProgress((share: number) =>
    tools.say(`${Math.floor(share * 100)}% …`),
  );
  const options = { config, log, mayReplace, onStep: tools.say, onProgress };
  const answer = await restoreBackup(path, options);
  const { manifest, rows, files, bytes, missing, damaged } = answer;
  const place = config.databaseUrl === null ? config.dataDir : 'the database and the storage';
  const sum = Object.values(rows).reduce((total, count) => total + count, 0);
  tools.answer(
    `Restored ${place} to the state as of ${manifest.takenOn}: ${sum} rows and ${files} files (${describeBytes(bytes)}).`,
  );
  if (missing.length > 0) {
    tools.say(
      `Warning: files that were missing when the backup was created: ${missing.length}. They are now marked as deleted.`,
    );
  }
  for (const key of damaged) {
    tools.say(`Warning: ${key} had changed before it was backed up. It was restored as it is.`);
  }
  tools.say('All users must sign in again.');
}
