/** Checks all source files against the rules in `source-rules`; exits non-zero if a file breaks one. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './steps.ts';
import { findSourceFaults } from './source-rules.ts';

const folders = '{contract,codec,server,web,e2e,bench,tools}';
const files = globSync(`${folders}/**/*.{ts,tsx,mjs}`, {
  cwd: projectDir,
  exclude: [
    '**/node_modules/**',
    '**/dist/**',
    'tools/source-rules.ts',
    'tools/test/source-rules.test.ts',
  ],
});
const faults = findSourceFaults(
  Object.fromEntries(
    files.map((file) => [file.replaceAll('\\', '/'), readFileSync(join(projectDir, file), 'utf8')]),
  ),
);
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
