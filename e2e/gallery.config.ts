/**
 * Configures the component tests: Vite builds and serves the gallery once, and a real browser opens each of its states.
 */
import { defineConfig } from '@playwright/test';
import { freePort } from '../server/test/fixtures/free-port.ts';
import journeys from './playwright.config.ts';

// The workers load this file again: they inherit the variable, and with it the port.
process.env.RECODERY_GALLERY_PORT ??= String(await freePort());
const port = process.env.RECODERY_GALLERY_PORT;
const vite = `"${process.execPath}" node_modules/vite/bin/vite.js`;
const words = 'web --config web/gallery/vite.config.ts --logLevel error';

const { projects: _, ...shared } = journeys;

export default defineConfig({
  ...shared,
  testDir: './gallery',
  outputDir: '../test-results/e2e-gallery',
  fullyParallel: true,
  reporter: [['dot'], ['json', { outputFile: '../test-results/gallery.json' }]],
  use: {
    ...shared.use,
    baseURL: `http://127.0.0.1:${port}`,
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 1280, height: 900 },
    launchOptions: {
      ...shared.use?.launchOptions,
      // most states run too briefly for optimized code: compiling it took a tenth of the processor time
      args: [...(shared.use?.launchOptions?.args ?? []), '--js-flags=--no-opt,--no-maglev'],
    },
  },
  webServer: {
    command: `${vite} build ${words} && ${vite} preview ${words} --port ${port}`,
    cwd: '..',
    url: `http://127.0.0.1:${port}/gallery.html`,
    env: { NODE_ENV: 'development' },
    timeout: 600_000,
    reuseExistingServer: false,
  },
});
