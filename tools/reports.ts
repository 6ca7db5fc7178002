/** Reads the test runners' reports: how many tests passed, failed and were skipped, what failed, and what took long. */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The counts of a run, for each failure the name of the test and its error, and the seconds of each file. */
export interface TestOutcome extends Count {
  readonly failures: readonly string[];
  readonly files?: readonly FileTime[];
}

/** How long the tests of a file took, on a machine that did other things as well. */
export interface FileTime {
  readonly name: string;
  readonly seconds: number;
}

/** A runner without a report: one failure. */
const noReport: TestOutcome = {
  passed: 0,
  failed: 1,
  skipped: 0,
  failures: ['a test runner wrote no report; see its output above'],
};

/** How many lines of an error are shown: its message and the first places in the source. */
const shownLines = 15;

interface AssertionResult {
  readonly status?: string;
  readonly fullName?: string;
  readonly failureMessages?: readonly string[];
  readonly tags?: readonly string[];
}

interface VitestFile {
  readonly name?: string;
  readonly status?: string;
  readonly message?: string;
  /** Milliseconds since 1970. */
  readonly startTime?: number;
  readonly endTime?: number;
  readonly assertionResults?: readonly AssertionResult[];
}

/**
 * Reads vitest's JSON reports. A file that could not be loaded counts as one failure, and so does each of those that must be in
 * one of the reports and are not: a mistake in the configuration would otherwise leave out tests, and nothing would show it.
 * @param expected paths of test files
 */
export function readVitestReports(
  reports: readonly string[],
  expected: readonly string[] = [],
): TestOutcome {
  const outcomes = reports.map(readVitestReport);
  const { files = [], ...counts } = sum(outcomes);
  if (outcomes.includes(noReport)) return { ...counts, files };
  const reported = new Set(files.map(({ name }) => name));
  const unrun = expected
    .filter((path) => !reported.has(path))
    .map((path) => describeFailure(path, 'is not in a report: it did not run'));
  return {
    ...counts,
    failed: counts.failed + unrun.length,
    failures: [...unrun, ...counts.failures],
    files,
  };
}

function readVitestReport(file: string): TestOutcome {
  const report = readReport(file);
  if (report === null) return noReport;
  const files = (Array.isArray(report.testResults) ? report.testResults : []) as VitestFile[];
  const unloaded: string[] = [];
  const failed: string[] = [];
  let beforeRelease = 0;
  for (const { name = '', status, message = '', assertionResults: tests = [] } of files) {
    const path = relative(process.cwd(), name);
    const ofFile = tests.filter((test) => test.status === 'failed');
    if (status === 'failed' && ofFile.length === 0) unloaded.push(describeFailure(path, message));
    beforeRelease += tests.filter(isForRelease).length;
    for (const { fullName = '', failureMessages = [] } of ofFile) {
      failed.push(describeFailure(`${path} › ${fullName}`, failureMessages.join('\n')));
    }
  }
  return {
    passed: toNumber(report.numPassedTests),
    failed: toNumber(report.numFailedTests) + unloaded.length,
    skipped: toNumber(report.numPendingTests) + toNumber(report.numTodoTests) - beforeRelease,
    failures: [...unloaded, ...failed],
    files: files.map(({ name = '', startTime = 0, endTime = 0 }) => ({
      name: relative(process.cwd(), name),
      seconds: (endTime - startTime) / 1000,
    })),
  };
}

/** Whether `npm test` has left a test out: it is not skipped because something is missing. */
function isForRelease({ status, tags = [] }: AssertionResult): boolean {
  return status === 'skipped' && tags.includes('release');
}

interface PlaywrightSuite {
  readonly file?: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly file?: string;
    readonly title?: string;
    readonly tests?: readonly {
      readonly status?: string;
      readonly results?: readonly {
        /** Milliseconds. */
        readonly duration?: number;
        readonly errors?: readonly { readonly message?: string }[];
      }[];
    }[];
  }[];
}

/** Reads Playwright's JSON report; a flaky test counts as failed. */
export function readPlaywrightReport(file: string): TestOutcome {
  const report = readReport(file);
  const stats = report?.stats;
  if (report === null || typeof stats !== 'object' || stats === null) return noReport;
  const { expected, unexpected, flaky, skipped } = stats as Record<string, unknown>;
  return {
    passed: toNumber(expected),
    failed: toNumber(unexpected) + toNumber(flaky),
    skipped: toNumber(skipped),
    failures: playwrightFailures(report),
    files: playwrightTimes(report),
  };
}

function playwrightFailures({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file = '', title = '', tests = [] }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results = [] }) => {
        const errors = results.flatMap((result) => result.errors ?? []);
        return describeFailure(
          `${file} › ${title}`,
          errors.map(({ message = '' }) => message).join('\n'),
        );
      }),
  );
  return [...own, ...suites.flatMap(playwrightFailures)];
}

/** One entry for each test, with the file that runs it: the outermost suite. Another file may define it. */
function playwrightTimes({ suites = [] }: PlaywrightSuite): FileTime[] {
  const secondsOf = ({ suites: inner = [], specs = [] }: PlaywrightSuite): number[] => [
    ...specs.flatMap(({ tests = [] }) =>
      tests.flatMap(({ results = [] }) => results.map(({ duration = 0 }) => duration / 1000)),
    ),
    ...inner.flatMap(secondsOf),
  ];
  return suites.flatMap((suite) =>
    secondsOf(suite).map((seconds) => ({ name: suite.file ?? '', seconds })),
  );
}

/** The files that took longest, slowest first, with the seconds of all their tests. */
export function slowest(files: readonly FileTime[], count: number): readonly FileTime[] {
  const sums = new Map<string, number>();
  for (const { name, seconds } of files) sums.set(name, (sums.get(name) ?? 0) + seconds);
  return [...sums]
    .map(([name, seconds]) => ({ name, seconds }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, count);
}

/** A failure in a few lines: its name, and the beginning of its error. */
export function describeFailure(name: string, error: string): string {
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [name, ...lines.slice(0, shownLines).map((line) => `    ${line}`)].join('\n');
}

/** All outcomes together. */
export function sum(outcomes: readonly TestOutcome[]): TestOutcome {
  return {
    passed: outcomes.reduce((total, { passed }) => total + passed, 0),
    failed: outcomes.reduce((total, { failed }) => total + failed, 0),
    skipped: outcomes.reduce((total, { skipped }) => total + skipped, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
    files: outcomes.flatMap(({ files = [] }) => files),
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
