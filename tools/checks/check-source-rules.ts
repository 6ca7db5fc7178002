/** Checks all source files against the rules in `source-rules` and `doubled-names`; exits non-zero if a file breaks one. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowedNames } from './allowed-names.ts';
import { findNameFaults } from './doubled-names.ts';
import { projectDir } from '../steps.ts';
import { findSourceFaults } from './source-rules.ts';

const folders = '{contract,codec,server,web,e2e,bench,tools}';
const files = globSync(`${folders}/**/*.{ts,tsx,mjs}`, {
  cwd: projectDir,
  exclude: [
    '**/node_modules/**',
    '**/dist/**',
    'tools/checks/source-rules.ts',
    'tools/test/source-rules.test.ts',
  ],
});
const sources = Object.fromEntries(
  files.map((file) => [file.replaceAll('\\', '/'), readFileSync(join(projectDir, file), 'utf8')]),
);
const ofProduct = Object.entries(sources).filter(([file]) => /^[a-z]+\/src\//.test(file));
const faults = [
  ...findSourceFaults(sources),
  ...findNameFaults(Object.fromEntries(ofProduct), allowedNames),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
