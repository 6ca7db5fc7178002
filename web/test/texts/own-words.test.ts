/** The utility unpacks and compacts in every language: no text on its page mentions decoding or encoding. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorNamesOf, families, workflowOf } from '@recodery/contract/families/registry';
import { beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf } from '../../src/features/last-operations/operation-words.ts';
import { pageOfOperation } from '../../src/features/operations/operation-page.ts';
import { operationProblem } from '../../src/i18n/problems.ts';
import { type Language, languages, storeLanguage } from '../../src/i18n/languages.ts';
import { ownWordsOf } from '../../src/i18n/own-words.ts';
import { inOwnWords, loadTexts, startTexts, type TextOf } from '../../src/i18n/texts.ts';
import { beBrowser } from '../api/browser.ts';
import { t as shared } from './t.ts';

const own = 'recoding.utility';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  storeLanguage('en-US');
  await startTexts(null);
  await loadTexts('utility');
  await loadTexts('device');
  await loadTexts('encode');
});

test('a page with its own texts uses them if it has any, with their values', () => {
  const t = inOwnWords(shared, own);
  expect(t('recoding.encoding')).toBe('Compacting');
  expect(t('recoding.decodedIn', { seconds: '3' })).toBe('unpacked in 3 s');
  expect(t('recoding.progress.components', { count: 2 })).toBe('2 components');
  expect(t('ui.cancel')).toBe('Cancel');
  expect(shared('recoding.encoding')).toBe('Encoding');
  const advice = (text: TextOf) =>
    operationProblem(text, { errorName: 'KESS3_DECODED_WITH_CHECKSUM_ERROR', detail: null }).advice;
  expect(advice(t)).toContain('was unpacked');
  expect(advice(inOwnWords(shared, null))).toContain('was decoded');
});

/** The words for decoding and encoding, by language. */
const recodes: Readonly<Record<(typeof languages)[number], RegExp>> = {
  'de-DE': /codier/i,
  'en-US': /(de|en)cod/i,
  'es-ES': /codifi|codifí/i,
  'fr-FR': /(dé|en)cod/i,
  'it-IT': /codific/i,
  'pl-PL': /kod(ow|uj)/i,
  'pt-BR': /codifi/i,
  'ru-RU': /кодир/i,
  'zh-CN': /编码|解码/,
};
const { family } = workflowOf('kess3-utility');
/** The families whose pages the utility does not extend. */
const others = families.filter((other) => other !== family);
/**
 * Texts about other files and pages, about the service that both decodes and unpacks, or about a vendor's engine, which
 * has no utility.
 */
const ofOthers = new RegExp(
  [
    `^recoding\\.(engineDown|waitingForEngine|lead|(${others.join('|')})\\.)`,
    '^recoding\\.misplaced\\.(encoded-file\\.title|read-file\\.)',
    '^checks\\.reason\\.engine-does-not-report$',
    '^RECOD_ERROR_(ENGINE_|-1073741819|KESS3_FILE_IS_)',
    // of makes with a service of their own, which have no utility
    '^job\\.expired$',
    // lists of the jobs and files of all families, and the rest of the portal
    '^jobs\\.(about|invitation)$',
    '^tray\\.(?!state|download\\.\\w+Named|incomplete\\.row)',
    '^(home|settings|log)\\.',
  ].join('|'),
);
/** Parts whose texts the utility's page, its jobs and its operations show. */
const textFiles = [
  'home',
  'log',
  'utility',
  'recoding',
  'device',
  'encode',
  'checks',
  'places',
  'misfit',
  'changes',
  'jobs',
  'tray',
  'shell',
  'errors',
] as const;

function textsIn(language: Language, file: string): Readonly<Record<string, string>> {
  const path = join(import.meta.dirname, '../../src/i18n/locales', language, `${file}.json`);
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The texts of all {@link textFiles}. Of the errors, those of other families are left out. */
function pageTexts(language: Language): Readonly<Record<string, string>> {
  const texts = Object.assign({}, ...textFiles.map((file) => textsIn(language, file)));
  const names: readonly string[] = errorNamesOf(family);
  const isShown = (key: string): boolean => {
    const name = /^RECOD_ERROR_(.*?)(_TITLE)?(\.\w+)?$/.exec(key)?.[1];
    return name === undefined ? /^[a-z]/.test(key) : names.includes(name);
  };
  return Object.fromEntries(Object.entries<string>(texts).filter(([key]) => isShown(key)));
}

/** The key of the utility's own text instead of a shared one. */
function ownKeyOf(key: string): string {
  return `${own}.${key.replace(/^recoding\./, '')}`;
}

describe('the utility', () => {
  test.each(languages)('mentions only unpacking and compacting in %s', (language) => {
    const texts = pageTexts(language);
    const shared = Object.keys(texts).filter(
      (key) => !key.startsWith(`${own}.`) && !ofOthers.test(key),
    );
    const wrong = shared.flatMap((key) => {
      const text = texts[ownKeyOf(key)] ?? texts[key] ?? '';
      return recodes[language].test(text.replaceAll('\u00ad', '')) ? [`${key}: ${text}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  test.each(languages)('is not decoded or encoded in any text of its own in %s', (language) => {
    const wrong = Object.entries(pageTexts(language)).filter(
      ([key, text]) =>
        key.startsWith(`${own}.`) && recodes[language].test(text.replaceAll('\u00ad', '')),
    );
    expect(wrong).toEqual([]);
  });

  test.each(languages)(
    'calls a step and its running work by the same word where the other pages do in %s',
    (language) => {
      const texts = pageTexts(language);
      const pairs = [
        ['recoding.decodeStep', 'recoding.decoding', 'operation.decoding'],
        ['recoding.encodeStep', 'recoding.encoding', 'operation.encoding'],
      ] as const;
      const ours = pairs.flatMap((keys) => {
        const isOneWord = new Set(keys.map((key) => texts[key])).size === 1;
        return isOneWord ? [new Set(keys.map((key) => texts[ownKeyOf(key)]))] : [];
      });
      expect(ours.filter(({ size }) => size > 1)).toEqual([]);
    },
  );

  test('has its own text only where it replaces a shared one', () => {
    const texts = pageTexts('en-US');
    const shared = new Set(
      Object.keys(texts).flatMap((key) => (key.startsWith(own) ? [] : [ownKeyOf(key)])),
    );
    const unused = Object.keys(texts).filter((key) => key.startsWith(own) && !shared.has(key));
    expect(unused).toEqual([]);
  });

  test('has the headlines of its errors on every page: lists of operations show them', () => {
    const shared = ['shell', 'recoding', 'errors'].flatMap((file) =>
      Object.keys(textsIn('en-US', file)),
    );
    const own = Object.keys(pageTexts('en-US')).filter((key) =>
      /^recoding\.utility\..*_TITLE$/.test(key),
    );
    expect(own).not.toEqual([]);
    expect(own.filter((key) => !shared.includes(key))).toEqual([]);
  });

  test('has its own texts everywhere that the workflow is known', () => {
    expect(ownWordsOf('kess3-utility')).toBe(own);
    expect(ownWordsOf('kess3')).toBeNull();
  });

  test('mentions backups, not reads', () => {
    const files = ['recoding', 'device', 'encode', 'utility', 'checks', 'places', 'misfit', 'jobs'];
    const texts = Object.assign({}, ...files.map((file) => textsIn('en-US', file)));
    // "read" is a verb in these
    const verbs = [
      'places.reason.unreadable',
      'kit.NOT_READ',
      'checks.read-checksums.look',
      'job.seal.ENGINE_REFUSED',
    ];
    const wrong = Object.keys(texts).filter((key) => {
      if (key.startsWith(`${own}.`) || ofOthers.test(key) || verbs.includes(key)) return false;
      return /\bread\b/i.test(texts[ownKeyOf(key)] ?? texts[key] ?? '');
    });
    expect(wrong).toEqual([]);
  });

  test('names its operations after what they do', () => {
    const wordsOf = (asyncOperationType: 'KESS3Decode' | 'KESS3Encode', isUtility: boolean) =>
      (['running', 'succeeded', 'failed'] as const).map((status) => {
        const page = pageOfOperation({ asyncOperationType, isUtility });
        const t = inOwnWords(shared, ownWordsOf(page));
        return t(outcomeOf({ asyncOperationType, status }).text);
      });
    expect(wordsOf('KESS3Decode', true)).toEqual(['Unpacking', 'Unpacked', 'Not unpacked']);
    expect(wordsOf('KESS3Encode', true)).toEqual(['Compacting', 'Compacted', 'Not compacted']);
    expect(wordsOf('KESS3Decode', false)).toEqual(['Decoding', 'Decoded', 'Not decoded']);
    expect(wordsOf('KESS3Encode', false)).toEqual(['Encoding', 'Encoded', 'Not encoded']);
  });
});
