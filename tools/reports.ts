/** Reads the test runners' reports: how many tests passed, failed and were skipped. */
import { existsSync, readFileSync } from 'node:fs';

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A runner without a report: one failure. */
const noReport: Count = { passed: 0, failed: 1, skipped: 0 };

/** Counts from vitest's JSON report. A file that could not be loaded counts as one failure. */
export function readVitestReport(file: string): Count {
  const report = readReport(file);
  if (report === null) return noReport;
  const suites = Array.isArray(report.testResults) ? report.testResults : [];
  const unloaded = suites.filter(
    (suite: { status?: unknown; assertionResults?: unknown }) =>
      suite.status === 'failed' &&
      Array.isArray(suite.assertionResults) &&
      !suite.assertionResults.some(
        (test: { status?: unknown } | null) => test?.status === 'failed',
      ),
  ).length;
  return {
    passed: toNumber(report.numPassedTests),
    failed: toNumber(report.numFailedTests) + unloaded,
    skipped: toNumber(report.numPendingTests) + toNumber(report.numTodoTests),
  };
}

/** Counts from Playwright's JSON report; a flaky test counts as failed. */
export function readPlaywrightReport(file: string): Count {
  const stats = readReport(file)?.stats;
  if (typeof stats !== 'object' || stats === null) return noReport;
  const { expected, unexpected, flaky, skipped } = stats as Record<string, unknown>;
  return {
    passed: toNumber(expected),
    failed: toNumber(unexpected) + toNumber(flaky),
    skipped: toNumber(skipped),
  };
}

/** The sum of counts. */
export function sum(counts: readonly Count[]): Count {
  return {
    passed: counts.reduce((total, { passed }) => total + passed, 0),
    failed: counts.reduce((total, { failed }) => total + failed, 0),
    skipped: counts.reduce((total, { skipped }) => total + skipped, 0),
  };
}

function readReport(file: string): Record<string, unknown> | null {
  if (!existsSync(file)) return null;
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
