/** Configures the journeys: each worker starts its own product and drives it with a real browser. */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';
import { isEachRun, ofReleaseCheck } from './each-run.ts';
import { debianPackages, onPath } from './programs.ts';

// The workers load this file again: they inherit the variable, and leave the folder.
if (process.env.E2E_RECORDINGS === undefined) {
  process.env.E2E_RECORDINGS = resolve(import.meta.dirname, '../test-results/recordings');
  rmSync(process.env.E2E_RECORDINGS, { recursive: true, force: true });
}

const chromium = process.env.RECODERY_TEST_CHROMIUM ?? onPath(debianPackages)[0] ?? 'chromium';

export default defineConfig({
  globalSetup: './quick-folder.config.ts',
  testDir: './journeys',
  testMatch: '**/*.e2e.ts',
  projects: [
    { name: 'journeys', teardown: 'secrets' },
    { name: 'secrets', testDir: './secrets' },
  ],
  outputDir: '../test-results/e2e',
  grepInvert: isEachRun ? ofReleaseCheck : [],
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // These limits only end journeys that hang: on a busy machine, everything can take a long time.
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
    // A menu or dialog that fades out is still in the page: while it does, a name can match it and its successor.
    contextOptions: { reducedMotion: 'reduce' },
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
