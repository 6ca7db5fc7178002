/** The tests of all rooms: pure ones, those on a real database, and the slow ones, which `npm run check` leaves out. */
import { defineConfig } from 'vitest/config';

/** Tests that start and kill whole processes. */
const slow = ['server/test/**/*.slow.test.ts'];

const onDatabase = {
  globalSetup: ['server/test/fixtures/start-postgres.ts'],
  // A test that starts processes shares two cores with all others.
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'pure',
          include: ['contract/test/**/*.test.ts', 'codec/test/**/*.test.ts'],
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
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/test/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'tools',
          include: ['tools/test/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
