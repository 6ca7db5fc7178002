/**
 * `npm run licenses`: lists the packages that an installation can get, on any system, by license as their package.json
 * names it. Exits non-zero if a license is not allowed.
 */
import { judgeLicense } from './supply-chain/license-rules.ts';
import { readProductPackages } from './supply-chain/production-packages.ts';

/** Lists and checks the licenses; returns the exit code. */
export async function run(): Promise<number> {
  const judged = readProductPackages().map(judgeLicense);
  for (const [license, those] of Map.groupBy(judged, (one) => one.license)) {
    const condition = those[0]?.condition ?? null;
    const why = condition === null ? '' : `: ${condition}`;
    process.stdout.write(`${license} (${those.length})${why}\n`);
    for (const { id } of those) process.stdout.write(`    ${id}\n`);
  }
  const refused = judged.filter(({ isAllowed }) => !isAllowed);
  for (const { id, license } of refused) process.stdout.write(`✗ ${id}: ${license}\n`);
  process.stdout.write(
    refused.length === 0
      ? `${judged.length} packages, all with an allowed license\n`
      : `${refused.length} of ${judged.length} packages have a license that is not allowed. Replace them, or change tools/supply-chain/license-rules.ts.\n`,
  );
  return refused.length === 0 ? 0 : 1;
}
