/** Writes docs/reports/diagnosis.md: what the diagnosis said about every damage of every reference image. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../steps.ts';
import type { ReferenceImage } from './references.ts';
import type { Row } from './table.ts';

/** Writes the report with today's date. */
export function writeConfusionReport(
  rows: readonly Row[],
  references: readonly ReferenceImage[],
): void {
  const count = (group: ReferenceImage['group']): number =>
    references.filter((one) => one.group === group).length;
  const lines = rows.map(({ damage, cases, right, unrepaired, others, wrongRepairs, silent }) => [
    damage,
    `${right} of ${cases}`,
    Array.from(others, ([kind, times]) => `${kind} ${times}`).join(', '),
    unrepaired === 0 ? '' : String(unrepaired),
    String(wrongRepairs.length),
    String(silent.length),
  ]);
  const heads = ['damage', 'right', 'other findings', 'no repair', 'wrong repair', 'no finding'];
  const table = [heads, heads.map(() => '---'), ...lines].map((row) => `| ${row.join(' | ')} |`);
  const text = `# Diagnosis of files that do not fit

Written by \`npm run confusion\` on ${new Date().toISOString().slice(0, 10)}. It damages each of ${references.length} images after each of four tunes:
${count('sample')} sample images of our protocols, ${count('me7')} generated images with the layout of Bosch ME7, ${count('firmware')} open-source firmware images
(which are not part of the project). A damage that an image is too small for, or that changes nothing in it, is not counted.

\`right\`: the finding has the kind that the damage has and, if the damage can be undone, a repair that is the tuned image, byte for
byte. \`other findings\`: the kinds that were reported instead. \`no repair\`: the kind is right, but nothing is offered although the damage can be undone.
\`wrong repair\`: a repair called lossless that is not the tuned image. \`no finding\`: the upload would be refused, and the diagnosis
has nothing to say; images below 8 KiB are not counted there, because they have too little to compare. The last two must be 0.

${table.join('\n')}
`;
  writeFileSync(join(projectDir, 'docs/reports/diagnosis.md'), text);
}
