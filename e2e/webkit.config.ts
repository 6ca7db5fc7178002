/**
 * Configures one journey per page in WebKit, which Playwright cannot drive here: it only runs the tests, one after the
 * other.
 */
import { defineConfig } from '@playwright/test';
import shared from './playwright.config.ts';

export default defineConfig(shared, {
  testDir: './webkit',
  outputDir: '../test-results/webkit',
  workers: 1,
  // generous: the browser is driven by script on its own virtual screen
  timeout: 600_000,
  reporter: [['list'], ['json', { outputFile: '../test-results/webkit.json' }]],
});
