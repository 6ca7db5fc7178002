/** Every text there is in English is there in every other language, and no refusal or failed operation lacks its words. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recodErrorNames, refusalStatus } from '@recodery/contract/errors';
import { describe, expect, test } from 'vitest';
import { languages } from '../src/i18n/languages.ts';

const folder = join(import.meta.dirname, '../src/i18n/locales');
const parts = readdirSync(join(folder, 'en-US')).filter((name) => name.endsWith('.json'));

function textsOf(language: string, part: string): Record<string, string> {
  return JSON.parse(readFileSync(join(folder, language, part), 'utf8'));
}

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([placeholder]) => placeholder).sort();
}

/** Plural forms differ by language; what counts is that the text exists in some form. */
function withoutPlural(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, '');
}

describe.each(languages)('%s', (language) => {
  test.each(parts)('has exactly the English keys in %s', (part) => {
    const keys = new Set(Object.keys(textsOf(language, part)).map(withoutPlural));
    const english = new Set(Object.keys(textsOf('en-US', part)).map(withoutPlural));
    expect([...keys].sort()).toEqual([...english].sort());
  });

  test.each(parts)('fills the same placeholders as English in %s', (part) => {
    const english = textsOf('en-US', part);
    for (const [key, text] of Object.entries(textsOf(language, part))) {
      const source = english[key] ?? english[`${withoutPlural(key)}_other`] ?? '';
      expect.soft(placeholdersOf(text), key).toEqual(placeholdersOf(source));
    }
  });

  test.each(parts)('leaves no text empty in %s', (part) => {
    for (const [key, text] of Object.entries(textsOf(language, part))) {
      expect.soft(text.trim(), key).not.toBe('');
    }
  });

  test('says what happened and what to do for every failed operation', () => {
    const errors = textsOf(language, 'errors.json');
    for (const name of recodErrorNames) {
      expect.soft(errors[`RECOD_ERROR_${name}_TITLE`], name).toBeTypeOf('string');
      expect.soft(errors[`RECOD_ERROR_${name}`], name).toBeTypeOf('string');
    }
  });

  test('says what happened and what to do for every refusal', () => {
    const errors = textsOf(language, 'errors.json');
    for (const code of Object.keys(refusalStatus)) {
      expect.soft(errors[`${code}_TITLE`], code).toBeTypeOf('string');
      expect.soft(errors[code], code).toBeTypeOf('string');
    }
  });

  test('neither shouts nor begs in its errors', () => {
    for (const [key, text] of Object.entries(textsOf(language, 'errors.json'))) {
      expect.soft(text, key).not.toMatch(/!|\bplease\b|per favore/i);
    }
  });
});

test('a KESS3 text holds its detail in brackets, so that it reads well without one', () => {
  for (const language of languages) {
    const errors = textsOf(language, 'errors.json');
    for (const name of recodErrorNames.filter((known) => known.startsWith('KESS3_'))) {
      expect.soft(errors[`RECOD_ERROR_${name}`], name).toContain(' ({0})');
    }
  }
});

test('no text stands under one key in two files', () => {
  const keys = ['shell.json', 'recoding.json', 'errors.json', 'around.json'].flatMap((part) =>
    Object.keys(textsOf('en-US', part)),
  );
  expect(keys).toHaveLength(new Set(keys).size);
});
