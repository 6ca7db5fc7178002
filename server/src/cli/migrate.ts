/** `recodery migrate`: migrates the tables without serving. */
import { migrationsDir } from '../postgres/migrate.ts';
import type { AddCommand } from './support/command.ts';

export const addMigrate: AddCommand = (program, tools) => {
  program
    .command('migrate')
    .description('update the database to the current schema')
    .action(() =>
      // Opening the platform migrates; there is nothing left to do.
      tools.withPlatform(async ({ db }) => {
        const { applied } = await db
          .selectFrom('migration')
          .select(({ fn }) => fn.countAll<number>().as('applied'))
          .executeTakeFirstOrThrow();
        tools.answer(
          `The database is up to date with ${applied} migrations from ${migrationsDir}.`,
        );
      }),
    );
};
