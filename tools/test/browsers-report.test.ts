/**
 * The report of `npm run browsers`: that takes too long for every run, so this test checks that its report is green.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const report = readFileSync(join(import.meta.dirname, '../../docs/reports/browsers.md'), 'utf8');

/** The cells of an engine's row. */
function lineOf(engine: string) {
  const line = report.split('\n').find((one) => one.startsWith(`| ${engine} |`)) ?? '';
  const [, , version, day, passed, failed, skipped] = line.split('|').map((cell) => cell.trim());
  return { version, day, passed: Number(passed), failed, skipped };
}

describe('the report of npm run browsers', () => {
  // promise 1.browsers.firefox, 1.browsers.safari
  test.each([
    ['Chromium', 90],
    ['Firefox', 90],
    ['WebKit', 10],
  ])('shows that every journey passed in %s', (engine, atLeast) => {
    const { version, day, passed, failed, skipped } = lineOf(engine);
    expect(version).toMatch(/\d/);
    expect(day).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(passed).toBeGreaterThanOrEqual(atLeast);
    expect({ failed, skipped }).toEqual({ failed: '0', skipped: '0' });
  });
});
