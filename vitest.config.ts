/** The tests of all packages: pure ones, those with a real database, and the slow ones, which `npm run check` omits. */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { joinTexts } from './web/join-texts.ts';

/** Tests that take seconds each, because they start and kill processes or try many files. */
const slow = [
  '**/test/**/*.slow.test.ts',
  'codec/test/recoding/mutations.test.ts',
  'codec/test/protocols/protocol-round-trips.test.ts',
  'server/test/access/**/*.test.ts',
  'server/test/journeys/**/*.test.ts',
  'server/test/engine/built-in/pool.test.ts',
  'server/test/sign-in/sign-in{,-form}.test.ts',
  'tools/test/launch.test.ts',
  // measures the built pages, which `npm run check` does not need
  'tools/test/page-sizes.test.ts',
];

/**
 * How many files of slow tests run at a time: most of their time they wait. More would cost time, because each worker imports
 * and compiles the server for itself.
 */
const slowAtATime = 3;

/** The names of the files that take the longest: one of them that started last would run alone. */
const longest =
  /^(chaos|matrix|.*kills|outages|watch|hostile-names|embedded|serve|.*backups?|move|emails|two-portals|launch|slow-readers|wrong-services|masters|memories|operation-queue|doctor|vendor-faults)\./;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.test(basename(moduleId));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * For all projects. The limits only stop tests that hang: on a busy machine every test can take long, and must still pass.
 */
const patience = {
  // `npm test` leaves out tests with this tag, `npm run release-check` runs them
  tags: [{ name: 'release', description: 'runs before a release, not each time' }],
  setupFiles: ['tools/compare-bytes.ts'],
  // after the slow ones where both run, which have another number of workers; a negative order would leave out a project
  sequence: { groupOrder: 1 },
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 240_000 } },
};

const ofServer = {
  ...patience,
  globalSetup: ['server/test/fixtures/database/start-postgres.ts'],
  setupFiles: [
    ...patience.setupFiles,
    'server/test/fixtures/check-responses.ts',
    'server/test/fixtures/stop-left.ts',
    'server/test/fixtures/sign-in/quick-passwords.ts',
  ],
};

/**
 * Tests of the web that replace parts of a browser or start its texts: each file has a process of its own. The others
 * share theirs, and a setup file fails if one of them changes a global.
 */
const ofBrowser = globSync('web/test/**/*.test.ts', { cwd: import.meta.dirname }).filter((path) =>
  /browser\.ts|scripted-portal|live-tray-steps|stubGlobal|useFakeTimers|globalThis|startTexts/.test(
    readFileSync(`${import.meta.dirname}/${path}`, 'utf8'),
  ),
);

/** What `npm run release-check` runs: restarts of several machines under load, and what else proves no promise. */
const beforeRelease = ['**/test/**/*.release.test.ts'];

export default defineConfig({
  test: {
    // Most tests mainly wait for the database: on two processors, four workers took 220 seconds for those of the server, and two
    // took 364. With six, and five slow files beside the browser's, everything took a sixth more processor time.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'pure',
          // Pure tests leave no state for the next file.
          isolate: false,
          include: [
            'contract/test/**/*.test.ts',
            'codec/test/**/*.test.ts',
            'tools/test/**/*.test.ts',
          ],
          exclude: slow,
          ...patience,
        },
      },
      {
        test: {
          name: 'server',
          // The server's modules have no state: everything is passed to them. Importing them again for every file would
          // take a fifth of the time.
          isolate: false,
          include: ['server/test/**/*.test.ts'],
          exclude: [...slow, ...beforeRelease],
          ...ofServer,
        },
      },
      {
        test: {
          name: 'slow',
          // as above; a test that looks for engines of this process finds its own by their folder
          isolate: false,
          include: slow,
          ...ofServer,
          // Before the others, while a browser runs its tests: most of their time they wait for processes, timeouts and
          // retries, so that a processor is enough for several. At the end they would leave processors idle.
          maxWorkers: slowAtATime,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'release',
          include: beforeRelease,
          ...ofServer,
        },
      },
      {
        plugins: [joinTexts()],
        test: {
          name: 'web',
          isolate: false,
          include: ['web/test/**/*.test.ts'],
          exclude: ofBrowser,
          ...patience,
          setupFiles: [...patience.setupFiles, 'web/test/same-globals.ts'],
        },
      },
      {
        plugins: [joinTexts()],
        test: {
          name: 'web-browser',
          include: ofBrowser,
          ...patience,
        },
      },
    ],
  },
});
