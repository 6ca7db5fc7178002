/** Writes docs/reports/fuzz.md: what the last whole run of `npm run fuzz` did. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../steps.ts';
import { readCorpus } from './corpus.ts';
import { percentOf } from './search.ts';
import type { TargetResult } from './supervise.ts';

/** Writes the report with today's date. */
export function writeFuzzReport(
  results: readonly TargetResult[],
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): void {
  const rows = results.map((result) => {
    const corpus = readCorpus(result.name);
    const bytes = corpus.reduce((sum, { input }) => sum + input.length, 0);
    return [
      result.name,
      String(result.executions),
      percentOf(result),
      String(result.starts),
      String(result.found.length),
      `${corpus.length} (${(bytes / 1000).toFixed(1)} kB)`,
      result.finding === null ? 'none' : (result.finding.error.split('\n')[0] ?? ''),
    ];
  });
  const heads = ['target', 'executions', 'source', 'starts', 'new', 'corpus', 'finding'];
  const table = [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  const text = `# Fuzzing

Written by \`npm run fuzz\` on ${new Date().toISOString().slice(0, 10)}: seed ${seed}, ${seconds} s for all targets together, Node ${process.versions.node}.

\`source\`: the part of the covered source files that has run, by characters; comments and imports count, too. \`starts\`: seeds and
corpus at the start. \`new\`: inputs that ran code which no earlier input had run. \`corpus\`: the inputs kept in
\`tools/fuzz/corpus/\`, which \`npm test\` runs again. A finding is an input that violates an invariant; the run
then fails. [Decision 86](../../decisions/0086-the-fuzzer-is-our-own-loop-over-v8-coverage.md) describes the targets.

${table.join('\n')}
`;
  writeFileSync(join(projectDir, 'docs/reports/fuzz.md'), text);
}
