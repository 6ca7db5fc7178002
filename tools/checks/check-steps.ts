/** The checks that do not run the product: types, format, lint, imports, table owners, source rules, dead code. */
import type { Step } from '../steps.ts';

const cruised = ['contract/src', 'codec/src', 'server/src', 'web/src', 'e2e'];

/** The steps, the longest first. */
export const checkSteps: readonly Step[] = [
  {
    // The linter needs all types, and reports the errors of the compiler that it contains.
    name: 'types and lint',
    script: 'node_modules/oxlint/bin/oxlint',
    words: ['--type-aware', '--type-check', '--quiet', '.'],
  },
  {
    name: 'imports',
    script: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    words: ['--config', 'imports.config.mjs', ...cruised],
  },
  {
    name: 'nothing unused',
    script: 'node_modules/knip/bin/knip.js',
    words: ['--no-progress'],
  },
  {
    name: 'table owners',
    script: 'tools/checks/check-table-owners.ts',
    words: [],
  },
  {
    name: 'source rules',
    script: 'tools/checks/check-source-rules.ts',
    words: [],
  },
  {
    name: 'format',
    script: 'node_modules/@biomejs/biome/bin/biome',
    words: ['check', '.'],
  },
];
