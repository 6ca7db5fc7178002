/** The search of short lists: in what the user sees. */
import { resources } from '@recodery/contract/admin/resources';
import { beforeAll, expect, test } from 'vitest';
import { searchShown } from '../../src/features/admin/list/search-shown.ts';
import type { AnyRecord } from '../../src/features/admin/records/records.ts';
import { changeLanguage, startTexts, withTexts } from '../../src/i18n/texts.ts';
import { beBrowser } from '../api/browser.ts';
import { t } from '../texts/t.ts';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  await startTexts('de-DE');
  await changeLanguage('de-DE');
  await withTexts(Promise.resolve(), 'admin');
});

const writing = { t, language: 'de-DE', now: new Date(0) } as const;
const setting = (name: string, others: object = {}) =>
  ({ guid: name, revision: '', name, value: null, source: 'default', ...others }) as AnyRecord;
const support = setting('link.support', { value: 'https://rossi.test/' });
const address = setting('RECODERY_PUBLIC_URL', {
  source: 'environment',
  variable: 'RECODERY_PUBLIC_URL',
});

// promise d3.settings.search
test('finds a setting by its label, its value and its variable, in any case', () => {
  const found = (search: string) => {
    const keep = searchShown(writing, resources.settings, search);
    return [support, address].filter((one) => keep?.(one) === true).map(({ guid }) => guid);
  };
  expect(found('SUPPORT link:')).toEqual(['link.support']);
  expect(found('rossi.test')).toEqual(['link.support']);
  expect(found('public_url')).toEqual(['RECODERY_PUBLIC_URL']);
  expect(found('umgebung')).toEqual(['RECODERY_PUBLIC_URL']);
  expect(found('nothing of this')).toEqual([]);
  expect(found('')).toHaveLength(2);
});

test('leaves the search of long lists to the server', () => {
  expect(searchShown(writing, resources.users, 'anna')).toBeNull();
});
