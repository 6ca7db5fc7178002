/** The tests of all rooms: pure ones, those on a real database, and the slow ones, which `npm run check` leaves out. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that take seconds each, because they start and kill processes or try very many files. */
const slow = [
  '**/test/**/*.slow.test.ts',
  'codec/test/mutations.test.ts',
  'codec/test/protocol-trips.test.ts',
  'server/test/every-route.test.ts',
  'server/test/journeys/**/*.test.ts',
  'server/test/operations/kills.test.ts',
  'server/test/engine/engine.test.ts',
  'server/test/sign-in/sign-in.test.ts',
  'tools/test/launch.test.ts',
  // weighs the built pages, which `npm run check` does without
  'tools/test/page-sizes.test.ts',
];

/**
 * These limits end tests that hang, and nothing else: on a busy machine every test can take long, and must still pass.
 */
const patience = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 240_000 } },
};

const onDatabase = { ...patience, globalSetup: ['server/test/fixtures/start-postgres.ts'] };

export default defineConfig({
  test: {
    // By itself the runner leaves one processor to others: of two that is half, and most tests wait more than they reckon.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          name: 'pure',
          // What is pure leaves nothing behind for the next file.
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
          include: ['server/test/**/*.test.ts'],
          exclude: slow,
          ...onDatabase,
        },
      },
      {
        test: {
          name: 'slow',
          include: slow,
          ...onDatabase,
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/test/**/*.test.ts'],
          ...patience,
        },
      },
    ],
  },
});
