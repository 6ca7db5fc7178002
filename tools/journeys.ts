/**
 * `npm run journeys -- --layout folder`: the journeys in Chromium, against two portals behind a plain proxy and two workers
 * on one PostgreSQL, with the files in a shared folder or (`--layout s3`) in an object store. Other arguments go to
 * Playwright, such as the name of a file.
 */
import { parseArgs } from 'node:util';
import { layouts } from '../e2e/many-machines/layout.ts';
import { findChromium } from './chromium.ts';
import { runStep } from './steps.ts';

/** Runs the journeys; returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { layout: { type: 'string' }, grep: { type: 'string', short: 'g' } },
    allowPositionals: true,
  });
  const layout = layouts.find((one) => one === values.layout);
  const chromium = await findChromium();
  if (layout === undefined || chromium === null) {
    const missing = `--layout must be ${layouts.join(' or ')}`;
    process.stderr.write(`${layout === undefined ? missing : 'Chromium is missing'}.\n`);
    return 2;
  }
  const { hasPassed } = await runStep(
    {
      name: `journeys, ${layout}`,
      script: 'node_modules/@playwright/test/cli.js',
      // each product has five processes and its engines
      words: [
        ...['test', '--config', 'e2e/playwright.config.ts', '--workers', '1'],
        ...(values.grep === undefined ? [] : ['-g', values.grep]),
        ...positionals,
      ],
      environment: { RECODERY_TEST_CHROMIUM: chromium, RECODERY_E2E_LAYOUT: layout },
    },
    true,
  );
  return hasPassed ? 0 : 1;
}
