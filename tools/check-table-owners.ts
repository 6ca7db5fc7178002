/** Checks that only its owner writes a table, by the list in `table-owners`; exits non-zero otherwise. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './steps.ts';
import { findOwnerFaults, tableOwners } from './table-owners.ts';

const folder = join(projectDir, 'server/src');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const sources = Object.fromEntries(
  globSync('**/*.ts', { cwd: folder }).map((file) => [file, read(file)]),
);
const schemas = globSync('postgres/{schema,*-tables}.ts', { cwd: folder });
const tables = schemas.flatMap((file) => {
  const [, columns = ''] =
    /export interface (?:Database|\w+Tables)\b[^{]*\{(.*?)\n\}/s.exec(read(file)) ?? [];
  const own = [...columns.matchAll(/^ {2}(\w+): \{$/gm)].map(([, table = '']) => table);
  if (own.length === 0) throw new Error(`${file} lists no tables`);
  return own;
});

const faults = findOwnerFaults(tableOwners, sources, tables);
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) {
  process.stdout.write('Call a function of the owner, or change tools/table-owners.ts.\n');
  process.exitCode = 1;
}
