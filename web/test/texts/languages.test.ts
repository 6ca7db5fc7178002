/** Which language a browser shows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statusPolling } from '@recodery/contract/features/service-status';
import { describe, expect, test } from 'vitest';
import { chooseLanguage, languageNames, languageOf, languages } from '../../src/i18n/languages.ts';
import { allTexts, root } from './all-texts.ts';

describe('the displayed language', () => {
  // promise 1.languages.default, d4.public.language
  test.each([
    ['is the user’s choice first', 'it-IT', 'en-US', ['en-GB'], 'it-IT'],
    ['is then the language of the account', null, 'it-IT', ['en-GB'], 'it-IT'],
    ['is then the browser’s preference', null, null, ['fi', 'it-CH'], 'it-IT'],
    ['is then English', null, null, ['fi'], 'en-US'],
    ['is never an unsupported one', 'fi-FI', null, ['de-AT'], 'de-DE'],
    ['ignores an invalid value in the storage', '<b>', '', [], 'en-US'],
  ])('%s', (_, stored, culture, browser, expected) => {
    expect(chooseLanguage(stored, culture, browser)).toBe(expected);
  });

  test('a bare language code finds its locale, in any case', () => {
    expect(languageOf('IT')).toBe('it-IT');
    expect(languageOf('item')).toBeNull();
  });
});

// promise 1.languages.seven, 1.languages.polish-russian, d10.everybody.nine
test('the nine languages of the specification are offered, each by its native name', () => {
  expect(languages).toEqual([
    'de-DE',
    'en-US',
    'es-ES',
    'fr-FR',
    'it-IT',
    'pl-PL',
    'pt-BR',
    'ru-RU',
    'zh-CN',
  ]);
  expect(new Set(Object.values(languageNames)).size).toBe(9);
});

test('the guide and the glossary are in the same languages, and no other folder of texts exists', () => {
  const tags = (names: readonly string[]) =>
    names.map((name) => name.replace(/\..*$/, '')).toSorted();
  for (const folder of ['web/src/i18n/locales', 'server/src/guide/texts', 'docs/glossary']) {
    expect(tags(readdirSync(join(root, folder))), folder).toEqual(languages);
  }
});

test.each(['server/src/texts', 'server/src/texts/receipts'])(
  '%s has the same texts in each of these languages',
  (folder) => {
    const keysIn = (language: string) =>
      Object.keys(
        JSON.parse(readFileSync(join(root, folder, `${language}.json`), 'utf8')),
      ).toSorted();
    const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.json'));
    expect(files.toSorted()).toEqual(languages.map((language) => `${language}.json`));
    for (const language of languages) expect(keysIn(language), language).toEqual(keysIn('en-US'));
  },
);

describe.each(languages)('%s', (language) => {
  test('states how often the page checks whether the engine is available again', () => {
    const said = allTexts(language).find(({ key }) => key === 'MAESTRO_SERVICE_UNAVAILABLE');
    expect(said?.text.match(/\d+/g)).toEqual([String(statusPolling.unavailable / 1000)]);
  });

  test('mentions the ID file only where the specification does, since a failed decode has none', () => {
    const naming = allTexts(language).filter(({ text, isFault }) => isFault && /\bID\b/.test(text));
    expect(naming.map(({ key }) => key)).toEqual(['RECOD_ERROR_VIRTUAL_READING_LOOKUP_ERROR']);
  });

  // promise 1.languages.polish-russian
  test('contains no sentence of another language', () => {
    // names and short words can be the same, especially in Spanish and Portuguese
    const isSentence = (text: string) =>
      text.replace(/\{\w+\}/g, '').split(/[^\p{L}]+/u).length > 5;
    const own = new Set(
      allTexts(language)
        .map(({ text }) => text)
        .filter(isSentence),
    );
    expect(own.size).toBeGreaterThan(language === 'zh-CN' ? 20 : 150);
    const others = languages.filter((other) => other !== language).flatMap(allTexts);
    const borrowed = others.map(({ text }) => text).filter((text) => own.has(text));
    expect(borrowed).toEqual([]);
  });
});
