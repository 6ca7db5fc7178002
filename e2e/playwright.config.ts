/** Configures the journeys: each worker starts its own product and drives it with a real browser. */
import { defineConfig } from '@playwright/test';

const chromium = process.env.RECODERY_TEST_CHROMIUM ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: './journeys',
  testMatch: '**/*.e2e.ts',
  outputDir: '../test-results/e2e',
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // These limits only end journeys that hang: on a busy machine everything can take long.
  timeout: 600_000,
  expect: { timeout: 90_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    browserName: 'chromium',
    // equal to the timeout of an expectation: a button that never appears need not use up the whole journey's time
    actionTimeout: 90_000,
    locale: 'en-US',
    timezoneId: 'Europe/Rome',
    viewport: { width: 1440, height: 900 },
    acceptDownloads: true,
    screenshot: 'only-on-failure',
    // takes a third of the time; pass `--trace retain-on-failure` on the command line to record one
    trace: 'off',
    launchOptions: {
      executablePath: chromium,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
