/**
 * `npm run release-check`: `npm test` and everything that takes too long for every commit, one part after the other. It
 * takes several hours. Names of parts as arguments run only those.
 */
import { runStep } from './steps.ts';

const launcher = 'recodery.mjs';
const tool = (name: string, ...words: readonly string[]) => ({
  name: [name, ...words].join(' '),
  script: launcher,
  words: ['--tool', name, ...words],
});

/** Part by part; each ends with an exit code other than zero if it has found something. */
const parts = [
  tool('test'),
  {
    name: 'components',
    script: 'node_modules/@playwright/test/cli.js',
    words: ['test', '--config', 'e2e/gallery.config.ts'],
  },
  {
    name: 'release tests',
    script: 'node_modules/vitest/vitest.mjs',
    words: ['run', '--project=release'],
  },
  {
    name: 'tagged tests',
    script: 'node_modules/vitest/vitest.mjs',
    words: ['run', '--project=!release', '--tags-filter=release'],
  },
  {
    name: 'long tests',
    script: 'node_modules/vitest/vitest.mjs',
    words: [
      'run',
      'codec/test/preflight/sweep.test.ts',
      'codec/test/recoding/mutations.test.ts',
      'server/test/engine/makes/kills.slow.test.ts',
      'server/test/engine/makes/makes.test.ts',
      'server/test/http/strange-bodies.test.ts',
      'server/test/jobs/plans.slow.test.ts',
      'server/test/portal-client/makes.slow.test.ts',
      'server/test/lists/rows-read.slow.test.ts',
      'server/test/access/matrix.test.ts',
    ],
    environment: { RECODERY_LONG_TESTS: 'on' },
  },
  // `npm test` checks types with the compiler that the linter contains.
  ...['contract', 'codec', 'server', 'web', '.'].map((project) => ({
    name: `types of ${project === '.' ? 'e2e, bench, tools' : project}`,
    script: 'node_modules/typescript-native/bin/tsc',
    words: ['-p', project],
  })),
  tool('confusion'),
  tool('fuzz'),
  tool('chaos'),
  tool('journeys', '--layout', 'folder'),
  tool('journeys', '--layout', 's3'),
  tool('browsers'),
  tool('audit'),
  tool('bench'),
];

/** Runs every part, or those that are named, also after one has failed; returns the exit code. */
export async function run(names: readonly string[]): Promise<number> {
  const chosen = parts.filter(({ name }) => names.length === 0 || names.includes(name));
  if (chosen.length < Math.max(names.length, 1)) {
    process.stderr.write(`The parts are ${parts.map(({ name }) => name).join('; ')}.\n`);
    return 2;
  }
  const failed: string[] = [];
  for (const part of chosen) {
    if (!(await runStep(part, true)).hasPassed) failed.push(part.name);
  }
  const outcome = failed.length === 0 ? 'passed' : `failed: ${failed.join('; ')}`;
  process.stdout.write(`release check ${outcome}\n`);
  return failed.length === 0 ? 0 : 1;
}
