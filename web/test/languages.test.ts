/** Which language a browser is shown. */
import { describe, expect, test } from 'vitest';
import { chooseLanguage, languageOf } from '../src/i18n/languages.ts';

describe('the language shown', () => {
  test.each([
    ['the one chosen by hand comes first', 'it-IT', 'en-US', ['en-GB'], 'it-IT'],
    ['then the culture of the account', null, 'it-IT', ['en-GB'], 'it-IT'],
    ['then what the browser prefers', null, null, ['fi', 'it-CH'], 'it-IT'],
    ['then English', null, null, ['fi'], 'en-US'],
    ['a language that there is not is passed over', 'fi-FI', null, ['de-AT'], 'de-DE'],
    ['rubbish in the storage is passed over', '<b>', '', [], 'en-US'],
  ])('%s', (_, stored, culture, browser, expected) => {
    expect(chooseLanguage(stored, culture, browser)).toBe(expected);
  });

  test('a bare language finds its culture, whatever the case', () => {
    expect(languageOf('IT')).toBe('it-IT');
    expect(languageOf('item')).toBeNull();
  });
});
