/** Texts with a number, in languages with several plural forms. */
import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { loadTexts, startTexts } from '../../src/i18n/texts.ts';
import { beBrowser } from '../api/browser.ts';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  await startTexts('en-US');
  await Promise.all([loadTexts('storage'), loadTexts('checks')]);
});

test.each([
  [1, 'Jobs older than 1 day are'],
  [30, 'Jobs older than 30 days are'],
])('the retention of %i days', (count, text) => {
  expect(i18next.t('storage.shortenAbout', { count })).toContain(text);
});

test.each([
  [1, 'This checksum will remain incorrect: A.'],
  [2, 'These checksums will remain incorrect: A.'],
])('%i wrong checksums', (count, text) => {
  expect(i18next.t('checks.checksums.amber', { count, rules: 'A' })).toBe(text);
});
