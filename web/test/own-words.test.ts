/** The utility unpacks and compacts in every language: no text on its page mentions decoding or encoding. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { families, workflowOf } from '@recodery/contract/families/registry';
import i18next from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf } from '../src/features/last-operations/operation-words.ts';
import { type Language, languages, storeLanguage } from '../src/i18n/languages.ts';
import { inOwnWords, startTexts, type TextKey } from '../src/i18n/texts.ts';
import { beBrowser } from './api/browser.ts';

const own = 'recoding.utility';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  storeLanguage('en-US');
  await startTexts(null);
});

test('a page with its own texts uses them if it has any, with their values', () => {
  const t = inOwnWords(i18next.t, own);
  expect(t('recoding.encoding')).toBe('Compacting');
  expect(t('recoding.decodedIn', { seconds: '3' })).toBe('unpacked in 3 s');
  expect(t('recoding.progress.components', { count: 2 })).toBe('2 components');
  expect(t('ui.cancel')).toBe('Cancel');
  expect(i18next.t('recoding.encoding')).toBe('Encoding');
});

/** The words for decoding and encoding, by language. */
const recodes: Readonly<Record<(typeof languages)[number], RegExp>> = {
  'de-DE': /codier/i,
  'en-US': /(de|en)cod/i,
  'es-ES': /codific/i,
  'fr-FR': /(dé|en)cod/i,
  'it-IT': /codific/i,
  'pl-PL': /kod(ow|uj)/i,
  'pt-BR': /codific/i,
  'ru-RU': /кодир/i,
  'zh-CN': /编码|解码/,
};
/** The families whose pages the utility does not extend. */
const others = families.filter((family) => family !== workflowOf('kess3-utility').family);
/**
 * Texts about other files and pages, about the service that both decodes and unpacks, or about a vendor's engine, which
 * has no utility.
 */
const ofOthers = new RegExp(
  `^recoding\\.(engineDown|waitingForEngine|lead|(${others.join('|')})\\.|misplaced\\.(?!sealed\\.advice))`,
);

/** The texts of the recoding pages. */
function pageTexts(language: Language): Readonly<Record<string, string>> {
  const folder = join(import.meta.dirname, '../src/i18n/locales', language);
  const [page, encode] = ['recoding.json', 'encode.json'].map(
    (file): Record<string, string> => JSON.parse(readFileSync(join(folder, file), 'utf8')),
  );
  return { ...page, ...encode };
}

describe('the utility', () => {
  test.each(languages)('mentions only unpacking and compacting in %s', (language) => {
    const texts = pageTexts(language);
    const shared = Object.keys(texts).filter(
      (key) => !key.startsWith(`${own}.`) && !ofOthers.test(key),
    );
    const wrong = shared.flatMap((key) => {
      const ownKey = key.replace('recoding.', `${own}.`);
      const text = texts[ownKey] ?? texts[key] ?? '';
      return recodes[language].test(text.replaceAll('\u00ad', '')) ? [`${key}: ${text}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  test('mentions backups, not reads', () => {
    const texts = pageTexts('en-US');
    const wrong = Object.keys(texts).filter((key) => {
      if (key.startsWith(`${own}.`) || ofOthers.test(key)) return false;
      return /\bread\b/i.test(texts[key.replace('recoding.', `${own}.`)] ?? texts[key] ?? '');
    });
    expect(wrong).toEqual([]);
  });

  test('names its operations after what they do', () => {
    const wordsOf = (asyncOperationType: 'KESS3Decode' | 'KESS3Encode', isUtility: boolean) =>
      (['running', 'succeeded', 'failed'] as const).map((status) => {
        const { text } = outcomeOf({ asyncOperationType, isUtility, status });
        return i18next.t(text satisfies TextKey);
      });
    expect(wordsOf('KESS3Decode', true)).toEqual(['Unpacking', 'Unpacked', 'Not unpacked']);
    expect(wordsOf('KESS3Encode', true)).toEqual(['Compacting', 'Compacted', 'Not compacted']);
    expect(wordsOf('KESS3Decode', false)).toEqual(['Decoding', 'Decoded', 'Not decoded']);
    expect(wordsOf('KESS3Encode', false)).toEqual(['Encoding', 'Encoded', 'Not encoded']);
  });
});
