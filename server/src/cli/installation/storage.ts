/** `recodery storage list|scan|result`: what organisations store, and whether the files are intact. */
import { escapeInvisible } from '@recodery/contract/file-names';
import { type AddCommand, CommandRefused } from '../support/command.ts';

export const addStorage: AddCommand = (program, tools) => {
  const storage = program
    .command('storage')
    .description('what organisations store, and whether the files are intact');
  storage
    .command('list')
    .description('list the organisations with their stored bytes, quota and damaged files')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { readStorage } = await import('../../administration/installation/storage.ts');
      const found = await tools.withPlatform(({ db, config }) => readStorage(db, config));
      const rows = [...found.values()];
      if (json === true) tools.answer(JSON.stringify(rows));
      else
        for (const { customerCode, name, usedBytes, quotaBytes, damaged } of rows)
          tools.answer(
            [customerCode, name, usedBytes, quotaBytes, damaged]
              .map((value) => escapeInvisible(String(value)))
              .join('\t'),
          );
    });
  const tasks = {
    start: ['scan', 'let a worker read every file and compare it with its hash'],
    describe: ['result', 'show how far the scan has come, and which files are damaged'],
  } as const;
  for (const [task, [name, description]] of Object.entries(tasks))
    storage
      .command(name)
      .description(description)
      .action(async () => {
        const { fileScan } = await import('../../upkeep/file-scan.ts');
        const [state, text] = await tools.withPlatform(({ db }) =>
          fileScan[task as keyof typeof tasks](db),
        );
        if (state === 'wrong') throw new CommandRefused(text);
        tools.answer(text);
      });
};
