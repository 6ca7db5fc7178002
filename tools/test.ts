/**
 * `npm test`: the checks, all tests, a minute of fuzzing, the components and the journeys in a real browser, and one
 * line with the total.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkSteps } from './check-steps.ts';
import { findChromium } from './chromium.ts';
import { searchTargets } from './fuzz/search.ts';
import { targets } from './fuzz/targets.ts';
import { type Count, readPlaywrightReport, readVitestReport, sum } from './reports.ts';
import { projectDir, runStep, runSteps } from './steps.ts';

/** The values of RECODERY_REQUIRE: what must not be skipped. */
// The tests of the object store read `s3` themselves.
const requirable = ['chromium', 's3'];

const reports = join(projectDir, 'test-results');
const vitestReport = join(reports, 'vitest.json');

/** The tests in a real browser; each configuration writes its own report. */
const browserSuites = [
  { name: 'components', config: 'e2e/gallery.config.ts', report: join(reports, 'gallery.json') },
  { name: 'journeys', config: 'e2e/playwright.config.ts', report: join(reports, 'e2e.json') },
] as const;

/** Always the same seed, so that a run differs from the last one only if the code does. */
const fuzzing = { seed: 1, seconds: 60 };

/** Runs everything; returns the exit code. */
export async function run(): Promise<number> {
  const required = (process.env.RECODERY_REQUIRE ?? '').split(',').filter((word) => word !== '');
  const unknown = required.filter((word) => !requirable.includes(word));
  if (unknown.length > 0) {
    process.stderr.write(`RECODERY_REQUIRE contains unknown values: ${unknown.join(', ')}.\n`);
    return 2;
  }
  await rm(reports, { recursive: true, force: true });
  await mkdir(reports, { recursive: true });

  const counts = [await runChecks(), await runTests(), await runFuzzing()];
  const chromium = await findChromium();
  if (chromium !== null) {
    for (const suite of browserSuites) counts.push(await runInBrowser(suite, chromium));
  } else if (required.includes('chromium')) {
    process.stdout.write(
      '✗ component and end-to-end tests need Chromium, which RECODERY_REQUIRE requires\n',
    );
    counts.push({ passed: 0, failed: 1, skipped: 0 });
  } else {
    process.stdout.write(
      '– component and end-to-end tests were skipped, because Chromium is missing\n',
    );
  }
  const { passed, failed, skipped } = sum(counts);
  if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** Each check counts as a test. */
async function runChecks(): Promise<Count> {
  const results = await runSteps(checkSteps);
  const failed = results.filter(({ hasPassed }) => !hasPassed).length;
  return { passed: results.length - failed, failed, skipped: 0 };
}

async function runTests(): Promise<Count> {
  const { hasPassed } = await runStep(
    {
      name: 'tests',
      script: 'node_modules/vitest/vitest.mjs',
      words: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    },
    true,
  );
  return atLeastOneFailure(readVitestReport(vitestReport), hasPassed);
}

/** Each target counts as a test. */
async function runFuzzing(): Promise<Count> {
  const results = await searchTargets(targets, fuzzing);
  const failed = results.filter(({ finding }) => finding !== null).length;
  return { passed: results.length - failed, failed, skipped: 0 };
}

async function runInBrowser(
  { name, config, report }: (typeof browserSuites)[number],
  chromium: string,
): Promise<Count> {
  const { hasPassed } = await runStep(
    {
      name,
      script: 'node_modules/@playwright/test/cli.js',
      words: ['test', '--config', config],
      environment: { RECODERY_TEST_CHROMIUM: chromium },
    },
    true,
  );
  return atLeastOneFailure(readPlaywrightReport(report), hasPassed);
}

/** A runner may fail without any failed test: an error outside of all tests, or one that did not run. */
function atLeastOneFailure(count: Count, hasPassed: boolean): Count {
  return hasPassed || count.failed > 0 ? count : { ...count, failed: 1 };
}
