/** `recodery migrate`: migrates the tables without serving, or lists what that would do. */
import { openLog } from '../../config/log.ts';
import { planPlatform } from '../../platform.ts';
import { migrationsDir } from '../../postgres/migrate.ts';
import type { AddCommand, CommandTools } from '../support/command.ts';

export const addMigrate: AddCommand = (program, tools) => {
  program
    .command('migrate')
    .description('update the database to the current schema')
    .option('--dry-run', 'list the migrations that the database still needs, and apply none')
    .action(({ dryRun = false }: { dryRun?: boolean }) => (dryRun ? plan : migrate)(tools));
};

/** Opening the platform migrates; there is nothing left to do. */
async function migrate(tools: CommandTools): Promise<void> {
  await tools.withPlatform(async ({ db }) => {
    const { applied } = await db
      .selectFrom('migration')
      .select(({ fn }) => fn.countAll<number>().as('applied'))
      .executeTakeFirstOrThrow();
    tools.answer(`The database is up to date with ${applied} migrations from ${migrationsDir}.`);
  });
}

async function plan(tools: CommandTools): Promise<void> {
  const log = openLog().child({}, { level: 'warn' });
  const missing = await planPlatform(tools.config(), log);
  for (const { name, about } of missing) tools.answer(`${name}  ${about}`.trim());
  tools.say(
    missing.length === 0
      ? 'The database is up to date.'
      : `The next start applies ${missing.length} migrations. Make a backup first: they cannot be undone.`,
  );
}
