/** The texts of all nine languages, pages and emails alike, use the words of docs/glossary. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Language, languages } from '../../src/i18n/languages.ts';
import { allTexts, root } from './all-texts.ts';

interface Row {
  readonly english: string;
  readonly chosen: string;
  readonly avoided: readonly string[];
}

/** The rows of a glossary's table. A word with brackets is wrong only in one sense, which a script cannot check. */
function rowsOf(language: Language): Row[] {
  const lines = readFileSync(join(root, `docs/glossary/${language}.md`), 'utf8').split('\n');
  const cells = lines
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return cells.slice(2).map(([, english = '', chosen = '', avoided = '']) => ({
    english,
    chosen,
    avoided: avoided.split(/, (?![^(]*\))/).filter((word) => word !== '' && !word.includes('(')),
  }));
}

/** Finds a word, whole and in any case; Chinese has no spaces between words. */
function finder(word: string): RegExp {
  const literal = word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  if (/\p{Script=Han}/u.test(word)) return new RegExp(literal, 'u');
  return new RegExp(String.raw`(?<![\p{L}\d])${literal}(?![\p{L}\d])`, 'iu');
}

describe.each(languages)('%s', (language) => {
  const rows = rowsOf(language);
  const texts = allTexts(language);

  test('has a word for every technical term', () => {
    expect(rows.length).toBeGreaterThan(40);
    for (const { english, chosen } of rows) expect.soft(chosen, english).not.toBe('');
  });

  // promise 1.languages.words
  test('uses none of the words that its glossary avoids', () => {
    const avoided = rows.flatMap((row) => row.avoided);
    expect(avoided.length).toBeGreaterThan(20);
    const offences = avoided.flatMap((word) => {
      const found = finder(word);
      return texts
        .filter(({ text }) => found.test(text.replaceAll(/\{\w+\}/g, '')))
        .map(({ key, text }) => `${key} contains “${word}”: ${text}`);
    });
    expect(offences).toEqual([]);
  });
});

test('finds a word as a whole, in any case, and not inside another one', () => {
  expect(finder('prüfsumme').test('Die Prüfsumme stimmt')).toBe(true);
  expect(finder('ident').test('Identifikation')).toBe(false);
  expect(finder('组织').test('这是组织的文件')).toBe(true);
});
