/**
 * `npm run audit`: checks that take too long for every commit. Writes the reports of `access` and `lighthouse` to
 * docs/reports/, and fails on a finding or a value below its limit. `npm run audit -- sizes` runs one part.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { auditAccess } from './audit/access.ts';
import { auditStates } from './audit/axe.ts';
import { auditLighthouse } from './audit/lighthouse.ts';
import type { PartResult } from './audit/audit-part.ts';
import { auditSizes } from './audit/sizes.ts';
import { projectDir } from './steps.ts';

/** The parts, the fast ones first; `axe` accepts languages as arguments, `lighthouse` paths. */
const parts: Readonly<Record<string, (words: readonly string[]) => Promise<PartResult>>> = {
  sizes: auditSizes,
  access: auditAccess,
  lighthouse: auditLighthouse,
  axe: auditStates,
};

/** Runs every part, or the one that the first argument names; returns the exit code. */
export async function run([named, ...words]: readonly string[]): Promise<number> {
  const chosen = Object.entries(parts).filter(([name]) => named === undefined || name === named);
  if (chosen.length === 0) {
    process.stderr.write(
      `The audit has no part ${named}. Its parts are ${Object.keys(parts).join(', ')}.\n`,
    );
    return 2;
  }
  const folder = join(projectDir, 'docs/reports');
  await mkdir(folder, { recursive: true });
  let hasPassed = true;
  for (const [name, audit] of chosen) {
    const result = await audit(words);
    if (result.report !== null) await writeFile(join(folder, `${name}.md`), result.report);
    process.stdout.write(`${result.hasPassed ? '✓' : '✗'} ${name}\n`);
    process.stdout.write(result.lines.map((line) => `    ${line}\n`).join(''));
    hasPassed &&= result.hasPassed;
  }
  return hasPassed ? 0 : 1;
}
