/** The tests of all rooms: pure ones apart from those that need a real database. */
import { defineConfig } from 'vitest/config';

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
          globalSetup: ['server/test/fixtures/start-postgres.ts'],
          // A test that starts processes shares two cores with all others.
          testTimeout: 30_000,
          hookTimeout: 60_000,
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
