/**
 * `npm run licenses`: checks the license of every package that an installation can get, and writes the list to
 * docs/reports/licenses.md. Exits non-zero if a license is not allowed; then it writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './steps.ts';
import { type JudgedPackage, judgeLicense } from './supply-chain/license-rules.ts';
import { readProductPackages } from './supply-chain/production-packages.ts';

/** Checks the licenses; returns the exit code. */
export async function run(): Promise<number> {
  const judged = readProductPackages().map(judgeLicense);
  const refused = judged.filter(({ isAllowed }) => !isAllowed);
  for (const { id, license } of refused) process.stdout.write(`✗ ${id}: ${license}\n`);
  if (refused.length > 0) {
    process.stdout.write(
      `${refused.length} of ${judged.length} packages have a license that is not allowed. Replace them, or change tools/supply-chain/license-rules.ts.\n`,
    );
    return 1;
  }
  writeFileSync(join(projectDir, 'docs/reports/licenses.md'), describeLicenses(judged));
  process.stdout.write(`${judged.length} packages, all with an allowed license\n`);
  return 0;
}

/** The report, with today's date. */
function describeLicenses(judged: readonly JudgedPackage[]): string {
  const licenses = [...new Set(judged.map(({ license }) => license))].toSorted();
  const rows = licenses.map((license) => {
    const those = judged.filter((one) => one.license === license);
    return `| ${license} | ${those.length} | ${those[0]?.condition ?? ''} |`;
  });
  const lists = licenses.map((license) => {
    const ids = judged.filter((one) => one.license === license).map(({ id }) => id);
    return `## ${license}\n\n${ids.map((id) => `- ${id}`).join('\n')}\n`;
  });
  return `# Licenses

Written by \`npm run licenses\` on ${new Date().toISOString().slice(0, 10)}: the packages that an installation of the product can get, on any system, by license as
their package.json names it. Packages for development are not listed. [Supply chain](../supply-chain.md) explains which licenses are
allowed.

| license | packages | allowed because |
| --- | --- | --- |
${rows.join('\n')}

${lists.join('\n')}`;
}
