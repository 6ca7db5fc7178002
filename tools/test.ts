/**
 * `npm test`: the checks, all tests, some fuzzing, the components and the journeys in a real browser. The end of
 * the output lists what failed, because it may be all that remains of a long run.
 */
import { globSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkSteps } from './checks/check-steps.ts';
import { findChromium } from './chromium.ts';
import { searchTargets } from './fuzz/search.ts';
import { targets } from './fuzz/targets.ts';
import {
  describeFailure,
  readPlaywrightReport,
  readVitestReports,
  slowest,
  sum,
  type TestOutcome,
} from './reports.ts';
import { projectDir, runStep, runSteps } from './steps.ts';

/** The values of RECODERY_REQUIRE: what must not be skipped. */
// The tests of the object store read `s3` themselves.
const requirable = ['chromium', 's3'];

const reports = join(projectDir, 'test-results');

/** The tests of some projects; `workers`: how many files run at a time, other than in the configuration. */
interface VitestRun {
  readonly name: string;
  readonly projects: readonly string[];
  readonly report: string;
  readonly workers?: number;
}

/** The tests of vitest: those that mostly wait, those of the server, and those that mostly compute. */
const vitestRuns = {
  slow: { name: 'slow tests', projects: ['slow'], report: join(reports, 'vitest-slow.json') },
  server: {
    name: 'tests of the server',
    projects: ['server'],
    report: join(reports, 'vitest.json'),
  },
  others: {
    name: 'other tests',
    projects: ['pure', 'web', 'web-browser'],
    report: join(reports, 'vitest-other.json'),
    // those of the server are not over yet
    workers: availableParallelism(),
  },
} satisfies Record<string, VitestRun>;

/** The tests in a real browser; each configuration writes its own report. */
const browserSuites = [
  { name: 'components', config: 'e2e/gallery.config.ts', report: join(reports, 'gallery.json') },
  { name: 'journeys', config: 'e2e/playwright.config.ts', report: join(reports, 'e2e.json') },
] as const;

/**
 * Always the same seed, so that a run differs from the last one only if the code does. The release check searches for ten
 * minutes.
 */
const fuzzing = { seed: 1, seconds: 5 };

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

  const chromium = await findChromium();
  const before = [await runChecks(), await runFuzzing()];
  const during = await runTests(runInBrowser(chromium, required.includes('chromium')));
  const outcomes = [...before, ...during];
  const { passed, failed, skipped, failures, files = [] } = sum(outcomes);
  process.stdout.write('\nThe slowest files, in seconds:\n\n');
  for (const { name, seconds } of slowest(files, 20)) {
    process.stdout.write(`${seconds.toFixed(1).padStart(7)}  ${name}\n`);
  }
  if (failures.length > 0) process.stdout.write(`\nWhat failed:\n\n`);
  for (const failure of failures) process.stdout.write(`✗ ${failure}\n\n`);
  if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** Each check counts as a test. */
async function runChecks(): Promise<TestOutcome> {
  const results = await runSteps(checkSteps);
  const failures = results
    .filter(({ hasPassed }) => !hasPassed)
    .map(({ name, output }) => describeFailure(name, output));
  const failed = failures.length;
  return { passed: results.length - failed, failed, skipped: 0, failures };
}

/**
 * Runs the slow tests beside those in the browser, which mostly compute; those of the server when one of the two has
 * ended, and all others when both have: the processors are never idle, and never have much more to do than they can.
 */
async function runTests(inBrowser: Promise<readonly TestOutcome[]>): Promise<TestOutcome[]> {
  const slow = runVitest(vitestRuns.slow);
  const server = Promise.race([slow, inBrowser]).then(() => runVitest(vitestRuns.server));
  const others = Promise.all([slow, inBrowser]).then(() => runVitest(vitestRuns.others));
  const hasPassed = (await Promise.all([slow, server, others])).every((passed) => passed);
  const expected = globSync('{contract,codec,server,web,tools}/test/**/*.test.ts', {
    cwd: projectDir,
    exclude: ['**/*.release.test.ts'],
  });
  const files = Object.values(vitestRuns).map(({ report }) => report);
  return [
    atLeastOneFailure('tests', readVitestReports(files, expected), hasPassed),
    ...(await inBrowser),
  ];
}

async function runVitest({ name, projects, report, workers }: VitestRun): Promise<boolean> {
  const { hasPassed } = await runStep(
    {
      name,
      script: 'node_modules/vitest/vitest.mjs',
      words: [
        'run',
        ...projects.map((project) => `--project=${project}`),
        ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
        '--tags-filter=!release',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
    },
    true,
  );
  return hasPassed;
}

/** Each target counts as a test. */
async function runFuzzing(): Promise<TestOutcome> {
  const results = await searchTargets(targets, fuzzing);
  const failures = results.flatMap(({ name, finding }) =>
    finding === null ? [] : [describeFailure(`fuzzing ${name}`, finding.error)],
  );
  const failed = failures.length;
  return { passed: results.length - failed, failed, skipped: 0, failures };
}

/** Without Chromium, nothing runs, which is a failure if it is required. */
async function runInBrowser(
  chromium: string | null,
  isRequired: boolean,
): Promise<readonly TestOutcome[]> {
  if (chromium === null && isRequired) {
    const missing = 'component and end-to-end tests need Chromium, which RECODERY_REQUIRE requires';
    return [{ passed: 0, failed: 1, skipped: 0, failures: [missing] }];
  }
  if (chromium === null) {
    process.stdout.write(
      '– component and end-to-end tests were skipped, because Chromium is missing\n',
    );
    return [];
  }
  const outcomes: TestOutcome[] = [];
  for (const suite of browserSuites) outcomes.push(await runSuite(suite, chromium));
  return outcomes;
}

async function runSuite(
  { name, config, report }: (typeof browserSuites)[number],
  chromium: string,
): Promise<TestOutcome> {
  const { hasPassed } = await runStep(
    {
      name,
      script: 'node_modules/@playwright/test/cli.js',
      words: ['test', '--config', config],
      environment: { RECODERY_TEST_CHROMIUM: chromium, RECODERY_EACH_RUN: 'on' },
    },
    true,
  );
  return atLeastOneFailure(name, readPlaywrightReport(report), hasPassed);
}

/** A runner may fail without any failed test: an error outside of all tests, or one that did not run. */
function atLeastOneFailure(name: string, outcome: TestOutcome, hasPassed: boolean): TestOutcome {
  if (hasPassed || outcome.failed > 0) return outcome;
  const failure = `${name}: an error outside of all tests; see the output of this step`;
  return { ...outcome, failed: 1, failures: [failure] };
}
