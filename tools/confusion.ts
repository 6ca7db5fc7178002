/**
 * `npm run confusion`: diagnoses every damage of every reference image with every tune, and writes
 * docs/reports/diagnosis.md. With names of images, it diagnoses only those, and writes no report.
 */
import { listReferences } from './confusion/references.ts';
import { writeConfusionReport } from './confusion/report.ts';
import { makeTable } from './confusion/table.ts';

/** Makes the table; returns the exit code: 1 if a repair is wrong, or a misfit was not noticed. */
export async function run(words: readonly string[]): Promise<number> {
  const all = listReferences(true);
  const chosen = all.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  if (chosen.length === 0) {
    process.stderr.write('Unknown image. Name a part of a protocol’s or image’s name.\n');
    return 2;
  }
  const rows = makeTable(chosen, (name) => process.stdout.write(`${name}\n`));
  for (const { damage, right, cases, others, wrongRepairs, silent } of rows) {
    const rest = Array.from(others, ([kind, count]) => `${kind} ${count}`).join(', ');
    process.stdout.write(`${damage}: ${right} of ${cases} ${rest}\n`);
    for (const name of wrongRepairs) process.stdout.write(`  wrong repair: ${name}\n`);
    for (const name of silent) process.stdout.write(`  no finding: ${name}\n`);
  }
  if (words.length === 0) writeConfusionReport(rows, chosen);
  const isGood = rows.every((row) => row.wrongRepairs.length + row.silent.length === 0);
  return isGood ? 0 : 1;
}
