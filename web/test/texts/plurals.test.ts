/** Texts with a number, in languages with several plural forms. */
import { beforeAll, expect, test } from 'vitest';
import { fillIn } from '../../src/i18n/catalog.ts';
import { changeLanguage, loadTexts, startTexts } from '../../src/i18n/texts.ts';
import { beBrowser } from '../api/browser.ts';
import { t } from './t.ts';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  await startTexts('en-US');
  await Promise.all([loadTexts('storage'), loadTexts('checks'), loadTexts('admin')]);
});

test.each([
  [1, 'Jobs older than 1 day are'],
  [30, 'Jobs older than 30 days are'],
])('the retention of %i days', (count, text) => {
  expect(t('storage.shortenAbout', { count })).toContain(text);
});

test.each([
  [1, 'This checksum will remain incorrect: A.'],
  [2, 'These checksums will remain incorrect: A.'],
])('%i wrong checksums', (count, text) => {
  expect(t('checks.checksums.amber', { count, rules: 'A' })).toBe(text);
});

test.each([
  [1, '_one'],
  [3, '_few'],
  [12, '_many'],
])('%i in Russian takes the form %s', async (count, form) => {
  await changeLanguage('ru-RU');
  const { default: texts } = await import('../../src/i18n/locales/ru-RU/storage.json');
  const text = t('storage.shortenAbout', { count });
  expect(text).toBe(fillIn(Reflect.get(texts, `storage.shortenAbout${form}`), { count }));
  expect(text).toContain(String(count));
});

test('a value with braces is shown as it is, and so are braces without a value', () => {
  const values = { 0: '{all}', all: 2, none: undefined };
  expect(fillIn('{0} of {all}{none} in {language}', values)).toBe('{all} of 2 in {language}');
  expect(t('admin.settings.valueHint')).toContain('{language}');
});
