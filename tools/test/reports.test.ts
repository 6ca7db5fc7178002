/** The end of `npm test` names each failed test with its error, even if the output above it is lost. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  describeFailure,
  readPlaywrightReport,
  readVitestReports,
  slowest,
  sum,
} from '../reports.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recodery-reports-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function save(report: unknown, name = 'report'): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(report));
  return file;
}

describe('the report of vitest', () => {
  test('names failed tests and files that could not be loaded', () => {
    const file = save({
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 3,
      numTodoTests: 0,
      testResults: [
        {
          name: join(process.cwd(), 'server/test/one.test.ts'),
          startTime: 1000,
          endTime: 3500,
          status: 'failed',
          message: '',
          assertionResults: [
            { status: 'passed', fullName: 'a passes', failureMessages: [], tags: ['release'] },
            { status: 'skipped', fullName: 'runs before a release', tags: ['release'] },
            {
              status: 'failed',
              fullName: 'a fails',
              failureMessages: ['expected 1 to be 2\n    at one.test.ts:3'],
            },
          ],
        },
        {
          name: join(process.cwd(), 'server/test/two.test.ts'),
          status: 'failed',
          message: 'Cannot find module',
          assertionResults: [],
        },
      ],
    });
    expect(readVitestReports([file])).toEqual({
      passed: 3,
      failed: 2,
      skipped: 2,
      failures: [
        'server/test/two.test.ts\n    Cannot find module',
        'server/test/one.test.ts › a fails\n    expected 1 to be 2\n        at one.test.ts:3',
      ],
      files: [
        { name: 'server/test/one.test.ts', seconds: 2.5 },
        { name: 'server/test/two.test.ts', seconds: 0 },
      ],
    });
  });

  test('names files that must be in one of several and are in none', () => {
    const paths = ['one', 'other'].map((name) => `server/test/${name}.test.ts`);
    const files = paths.map((path, at) => {
      const testResults = [{ name: join(process.cwd(), path), status: 'passed' }];
      return save({ numPassedTests: 1, testResults }, `${at}`);
    });
    const complete = { passed: 2, failed: 0, failures: [] };
    expect(readVitestReports(files, paths)).toMatchObject(complete);
    expect(readVitestReports(files, [...paths, 'server/test/no.test.ts'])).toMatchObject({
      failed: 1,
      failures: ['server/test/no.test.ts\n    is not in a report: it did not run'],
    });
  });

  test('is a failure if it is missing', () => {
    const present = save({ numPassedTests: 1, testResults: [] });
    const outcome = readVitestReports([join(folder, 'missing.json'), present], ['a.test.ts']);
    expect(outcome).toMatchObject({ failed: 1, passed: 1 });
    expect(outcome.failures).toHaveLength(1);
  });
});

test('the report of Playwright names failed and flaky tests at any depth', () => {
  const spec = (title: string, status: string, message: string) => ({
    title,
    file: 'journeys/a.e2e.ts',
    tests: [{ status, results: [{ duration: 1500, errors: [{ message }] }] }],
  });
  const file = save({
    stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 0 },
    suites: [
      {
        file: 'journeys/b.e2e.ts',
        specs: [spec('fails', 'unexpected', '\u001b[31mnot visible\u001b[39m')],
        suites: [{ specs: [spec('is flaky', 'flaky', 'timeout'), spec('passes', 'expected', '')] }],
      },
    ],
  });
  expect(readPlaywrightReport(file)).toEqual({
    passed: 4,
    failed: 2,
    skipped: 0,
    failures: [
      'journeys/a.e2e.ts › fails\n    not visible',
      'journeys/a.e2e.ts › is flaky\n    timeout',
    ],
    files: Array.from({ length: 3 }, () => ({ name: 'journeys/b.e2e.ts', seconds: 1.5 })),
  });
});

test('the slowest files come first, with the time of all their tests', () => {
  const files = [
    { name: 'short.ts', seconds: 1 },
    { name: 'many.ts', seconds: 2 },
    { name: 'long.ts', seconds: 3 },
    { name: 'many.ts', seconds: 2 },
  ];
  expect(slowest(files, 2)).toEqual([
    { name: 'many.ts', seconds: 4 },
    { name: 'long.ts', seconds: 3 },
  ]);
});

test('only the beginning of a long error is shown', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const text = describeFailure('a test', lines.join('\n\n'));
  expect(text).toContain('line 14');
  expect(text).not.toContain('line 15');
});

test('the sum keeps the failures of all runs', () => {
  const outcome = (failures: string[]) => ({
    passed: 1,
    failed: failures.length,
    skipped: 0,
    failures,
  });
  expect(sum([outcome(['a']), outcome([]), outcome(['b', 'c'])])).toEqual({
    passed: 3,
    failed: 3,
    skipped: 0,
    failures: ['a', 'b', 'c'],
    files: [],
  });
});
