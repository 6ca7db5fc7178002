/** Checks that only its owner writes a table, by the list in `table-rules.ts` of `server/src/postgres/tables/`; exits non-zero otherwise. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../steps.ts';
import { tables } from '../../server/src/postgres/tables/table-rules.ts';
import { anyTable, findOwnerFaults, type TableOwners } from './table-owners.ts';

const folder = join(projectDir, 'server/src');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const sources = Object.fromEntries(
  globSync('**/*.ts', { cwd: folder }).map((file) => [file, read(file)]),
);
const owners: TableOwners = {
  ...Object.fromEntries(Object.entries(tables).map(([table, { owners: files }]) => [table, files])),
  // a temporary table
  seen: ['upkeep/compare-storage.ts'],
  // a restore fills all tables
  [anyTable]: ['backup/restore-rows.ts'],
};

const writers = Object.fromEntries(
  Object.entries(tables).flatMap(([table, { writer }]) => (writer ? [[writer, table]] : [])),
);

const faults = findOwnerFaults(owners, sources, writers);
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) {
  process.stdout.write(
    'Call a function of the owner, or change server/src/postgres/tables/table-rules.ts.\n',
  );
  process.exitCode = 1;
}
