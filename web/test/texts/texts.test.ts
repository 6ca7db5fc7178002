/** Every English text exists in every other language, and every refusal and failed operation has its texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RefusalCode, refusalStatus } from '@recodery/contract/errors';
import { recodErrorNames } from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import { languages } from '../../src/i18n/languages.ts';

const folder = join(import.meta.dirname, '../../src/i18n/locales');
const parts = readdirSync(join(folder, 'en-US')).filter((name) => name.endsWith('.json'));

/** Codes that only programs receive, or that pages do not show; the pages have no texts for them. */
const programRefusals: ReadonlySet<string> = new Set<RefusalCode>([
  'SLOT_CLOSED',
  'FILE_BEING_SEALED',
  // the page of the setup has its own text
  'SETUP_LINK_EXPIRED',
  'INVALID_CREDENTIALS',
  'IP_NOT_ALLOWED',
  'IDEMPOTENCY_KEY_REUSED',
  'TOO_MANY_OPEN_SLOTS',
  'TOO_MANY_ACCESS_TOKENS',
  'TOO_MANY_EVENT_STREAMS',
]);

function textsOf(language: string, part: string): Record<string, string> {
  return JSON.parse(readFileSync(join(folder, language, part), 'utf8'));
}

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([placeholder]) => placeholder).sort();
}

/** Plural forms differ by language; the text must exist in some form. */
function withoutPlural(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, '');
}

/** Keys without the labels that only Italian has: those of a family's panel, as the specification quotes them. */
function sharedKeys(language: string, texts: Readonly<Record<string, string>>): Set<string> {
  const keys = Object.keys(texts).map(withoutPlural);
  const isLabel = (key: string): boolean =>
    language === 'it-IT' && /^recoding\.information\.\w+_(ktag|kess3)$/.test(key);
  return new Set(keys.filter((key) => !isLabel(key)));
}

describe.each(languages)('%s', (language) => {
  // promise 1.languages.whole, d10.everybody.nine
  test.each(parts)('has exactly the English keys in %s', (part) => {
    const keys = sharedKeys(language, textsOf(language, part));
    const english = sharedKeys('en-US', textsOf('en-US', part));
    expect([...keys].sort()).toEqual([...english].sort());
  });

  // promise 1.languages.whole
  test.each(parts)('has the same placeholders as English in %s', (part) => {
    const english = textsOf('en-US', part);
    for (const [key, text] of Object.entries(textsOf(language, part))) {
      const source = english[key] ?? english[`${withoutPlural(key)}_other`] ?? '';
      expect.soft(placeholdersOf(text), key).toEqual(placeholdersOf(source));
    }
  });

  test.each(parts)('has each key once in %s', (part) => {
    // JSON.parse keeps only the last of two texts with the same key.
    const source = readFileSync(join(folder, language, part), 'utf8');
    const keys = [...source.matchAll(/^ {2}("[^"]+"):/gm)].map(([, key]) => key);
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  // promise 1.languages.whole
  test.each(parts)('has no empty text in %s', (part) => {
    for (const [key, text] of Object.entries(textsOf(language, part))) {
      expect.soft(text.trim(), key).not.toBe('');
    }
  });

  // promise 8.display.recod-key, 8.catalogue.file-not-compatible-with-read-file
  // promise 8.catalogue.file-not-compatible-with-read-component, 8.catalogue.file-load-error
  // promise 8.catalogue.file-save-error, 8.catalogue.file-is-zip-archive
  // promise 8.catalogue.file-is-ktag-backup, 8.catalogue.invalid-file, 8.catalogue.file-corrupted
  // promise 8.catalogue.unexpected-size, 8.catalogue.wrong-size, 8.catalogue.wrong-import
  // promise 8.catalogue.wrong-master-code, 8.catalogue.ecu-not-supported
  // promise 8.catalogue.ecu-not-recognized, 8.catalogue.checksum-error
  // promise 8.catalogue.cvn-correction-error, 8.catalogue.virtual-reading-lookup-error
  // promise 8.catalogue.kess3-path-or-file-not-found, 8.catalogue.kess3-file-is-archive
  // promise 8.catalogue.kess3-file-is-ktag-backup, 8.catalogue.kess3-file-is-kessv2
  // promise 8.catalogue.kess3-file-not-recognized, 8.catalogue.kess3-file-compatible-with-kess3
  // promise 8.catalogue.kess3-bad-header, 8.catalogue.kess3-generic-error-with-code
  // promise 8.catalogue.kess3-wrong-master-code, 8.catalogue.kess3-tool-not-found
  // promise 8.catalogue.kess3-decrypt-error, 8.catalogue.kess3-encrypt-error
  // promise 8.catalogue.kess3-component-read-error, 8.catalogue.kess3-unpack-backup-error
  // promise 8.catalogue.kess3-compact-backup-error, 8.catalogue.kess3-protocol-not-found
  // promise 8.catalogue.kess3-info-retrieval-error, 8.catalogue.kess3-maps-file-absent-in-protocol
  // promise 8.catalogue.kess3-maps-file-processing-error, 8.catalogue.kess3-checksum-error
  // promise 8.catalogue.kess3-decoded-with-checksum-error
  // promise 8.catalogue.kess3-virtual-reading-not-supported
  test('states what happened and what to do for every failed operation', () => {
    const errors = textsOf(language, 'errors.json');
    for (const name of recodErrorNames) {
      expect.soft(errors[`RECOD_ERROR_${name}_TITLE`], name).toBeTypeOf('string');
      expect.soft(errors[`RECOD_ERROR_${name}`], name).toBeTypeOf('string');
    }
  });

  // promise 6.roles.no-rights-words, 8.display.api-key
  test('states what happened and what to do for every refusal that a user receives', () => {
    // some are only possible in the settings
    const files = ['errors.json', 'settings.json', 'preferences.json'];
    const errors = Object.assign({}, ...files.map((file) => textsOf(language, file)));
    for (const code of Object.keys(refusalStatus)) {
      if (programRefusals.has(code)) continue;
      expect.soft(errors[`${code}_TITLE`], code).toBeTypeOf('string');
      expect.soft(errors[code], code).toBeTypeOf('string');
    }
  });

  test('uses neither exclamation marks nor "please" in its errors', () => {
    for (const [key, text] of Object.entries(textsOf(language, 'errors.json'))) {
      expect.soft(text, key).not.toMatch(/!|\bplease\b|per favore/i);
    }
  });
});

// promise 8.catalogue.kess3-detail
test('a KESS3 text has its detail in brackets, or only in a text of its own, so that it reads well without one', () => {
  for (const language of languages) {
    const errors = textsOf(language, 'errors.json');
    for (const name of recodErrorNames.filter((known) => known.startsWith('KESS3_'))) {
      const { [`RECOD_ERROR_${name}`]: text, [`RECOD_ERROR_${name}_DETAIL`]: own } = errors;
      if (own === undefined) expect.soft(text, name).toMatch(/ \(\{0\}\)|（\{0\}）/u);
      else expect.soft([text?.includes('{0}'), own.includes('{0}')], name).toEqual([false, true]);
    }
  }
});

test('no key exists in two files', () => {
  const keys = parts
    .filter((part) => part !== 'sign-in.json' && part !== 'verify.json')
    .flatMap((part) => Object.keys(textsOf('en-US', part)));
  expect(keys).toHaveLength(new Set(keys).size);
});
