/** The checks that do not run the product: types, format, lint, imports, table owners, source rules, dead code. */
import type { Step } from '../steps.ts';

const typeProjects = ['contract', 'codec', 'server', 'web', '.'];
const cruised = ['contract/src', 'codec/src', 'server/src', 'web/src', 'e2e'];

/** The steps, the longest first. */
export const checkSteps: readonly Step[] = [
  {
    name: 'lint',
    script: 'node_modules/oxlint/bin/oxlint',
    words: ['--type-aware', '--quiet', '.'],
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
  ...typeProjects.map((project) => ({
    name: `types of ${project === '.' ? 'e2e, bench, tools' : project}`,
    script: 'node_modules/typescript-native/bin/tsc',
    words: ['-p', project],
  })),
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
