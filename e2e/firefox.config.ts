/** The same journeys in Firefox: as it is installed, driven over WebDriver BiDi. */
import { defineConfig } from '@playwright/test';
import shared from './playwright.config.ts';

const firefox = process.env.RECODERY_TEST_FIREFOX ?? '/usr/bin/firefox-esr';

export default defineConfig(shared, {
  outputDir: '../test-results/firefox',
  reporter: [['list'], ['json', { outputFile: '../test-results/firefox.json' }]],
  use: {
    browserName: 'firefox',
    channel: 'moz-firefox',
    // both add a style to the page, which its own policy forbids: Firefox would report an error because of a failure
    // screenshot
    screenshot: 'off',
    trace: 'off',
    launchOptions: {
      executablePath: firefox,
      args: [],
      // its downloads panel would take the window's focus away from the page
      firefoxUserPrefs: { 'browser.download.alwaysOpenPanel': false },
    },
  },
});
