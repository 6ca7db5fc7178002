/** The end of `npm test` names each failed test with its error, even if the output above it is lost. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeFailure, readPlaywrightReport, readVitestReport, sum } from '../reports.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recodery-reports-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function save(report: unknown): string {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(report));
  return file;
}

describe('the report of vitest', () => {
  test('names failed tests and files that could not be loaded', () => {
    const file = save({
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 0,
      testResults: [
        {
          name: join(process.cwd(), 'server/test/one.test.ts'),
          status: 'failed',
          message: '',
          assertionResults: [
            { status: 'passed', fullName: 'a passes', failureMessages: [] },
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
    expect(readVitestReport(file)).toEqual({
      passed: 3,
      failed: 2,
      skipped: 2,
      failures: [
        'server/test/two.test.ts\n    Cannot find module',
        'server/test/one.test.ts › a fails\n    expected 1 to be 2\n        at one.test.ts:3',
      ],
    });
  });

  test('is a failure if it is missing', () => {
    expect(readVitestReport(join(folder, 'missing.json'))).toMatchObject({ failed: 1, passed: 0 });
    expect(readVitestReport(join(folder, 'missing.json')).failures).toHaveLength(1);
  });
});

test('the report of Playwright names failed and flaky tests at any depth', () => {
  const spec = (title: string, status: string, message: string) => ({
    title,
    file: 'journeys/a.e2e.ts',
    tests: [{ status, results: [{ errors: [{ message }] }] }],
  });
  const file = save({
    stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 0 },
    suites: [
      {
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
  });
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
  });
});
