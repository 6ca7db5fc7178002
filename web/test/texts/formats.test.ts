/** Sizes and times in the format of the page. */
import { languages } from '../../src/i18n/languages.ts';
import { describe, expect, test } from 'vitest';
import {
  bytesText,
  numberText,
  percentText,
  sizeText,
  notificationTimeText,
  fullTimeText,
  timeText,
  writtenDateText,
} from '../../src/i18n/formats.ts';

describe('a size', () => {
  test.each([
    [0, 'en-US', '0 B'],
    [512, 'en-US', '512 B'],
    [65_536, 'en-US', '64 KiB'],
    [1_048_575, 'en-US', '1.0 MiB'],
    [4_194_304, 'en-US', '4 MiB'],
    [6_396_313, 'en-US', '6.1 MiB'],
    [6_396_313, 'it-IT', '6,1 MiB'],
    [67_108_864, 'en-US', '64 MiB'],
    [53_687_091_200, 'en-US', '50 GiB'],
    [13_314_398_617, 'de-DE', '12,4 GiB'],
    [1_073_741_823, 'fr-FR', '1,0 Gio'],
    [3_298_534_883_328, 'ru-RU', '3\u00a0072 ГиБ'],
    [6_396_313, 'fr-FR', '6,1 Mio'],
    [512, 'fr-FR', '512 o'],
    [65_536, 'ru-RU', '64 КиБ'],
    [6_396_313, 'zh-CN', '6.1 MiB'],
  ] as const)('of %i bytes in %s is %s', (bytes, language, text) => {
    expect(sizeText(bytes, language)).toBe(text.replace(' ', '\u00a0'));
  });
});

test.each([
  [524_287, 'en-US', '524,287 B'],
  [524_287, 'de-DE', '524.287 B'],
  [100, 'fr-FR', '100 o'],
] as const)('formats %i bytes exactly in %s as %s', (bytes, language, text) => {
  expect(bytesText(bytes, language)).toBe(text.replace(' ', '\u00a0'));
});

test.each([
  ['20150312', 'it-IT', '12/03/2015'],
  ['2015-03-12', 'en-US', '03/12/2015'],
  ['2015-03-12T10:00:00Z', 'zh-CN', '2015/03/12'],
  ['12.03.2015', 'it-IT', '12.03.2015'],
  ['20151399', 'it-IT', '20151399'],
  ['10373512', 'it-IT', '10373512'],
] as const)('formats the date that an ECU writes as %s in %s as %s', (written, language, shown) => {
  expect(writtenDateText(written, language)).toBe(shown);
});

describe('a number', () => {
  test.each([
    ['de-DE', '1.234.567'],
    ['fr-FR', '1\u202f234\u202f567'],
    ['pl-PL', '1\u00a0234\u00a0567'],
    ['pt-BR', '1.234.567'],
  ] as const)('is grouped in %s as %s', (language, text) => {
    expect(numberText(1_234_567, language)).toBe(text);
  });

  test.each([
    ['en-US', '35%'],
    ['de-DE', '35\u00a0%'],
  ] as const)('of percent is formatted in %s as %s', (language, text) => {
    expect(percentText(0.351, language)).toBe(text);
  });
});

describe('a time', () => {
  const now = new Date(2026, 10, 21, 15, 0);
  // promise 2.notifications.item, 9.figures.dates
  test.each([
    ['of today is only the time of day', new Date(2026, 10, 21, 9, 5), '09:05'],
    ['of this year includes day and month', new Date(2026, 0, 2, 23, 59), '02/01 23:59'],
    ['of another year includes the year', new Date(2025, 11, 31, 0, 0), '31/12/2025 00:00'],
    [
      'on the same day of another year is not today',
      new Date(2025, 10, 21, 9, 5),
      '21/11/2025 09:05',
    ],
  ])('in a notification %s', (_, time, text) => {
    expect(notificationTimeText(time.toISOString(), now)).toBe(text);
  });

  // promise 9.figures.dates
  test.each(languages)('has the form of the language %s elsewhere', (language) => {
    const digits = { day: '2-digit', month: '2-digit' } as const;
    const short = new Intl.DateTimeFormat(language, digits);
    const full = new Intl.DateTimeFormat(language, { ...digits, year: 'numeric' });
    const textOf = (time: Date) => timeText(time.toISOString(), now, language);
    // two digits everywhere: Spanish alone would leave zeros out, and columns would not line up
    const [earlier, other] = [new Date(2026, 9, 12, 23, 59), new Date(2025, 11, 31, 0, 0)];
    expect(textOf(new Date(2026, 10, 21, 9, 5))).toBe('09:05');
    expect(textOf(earlier)).toBe(`${short.format(earlier)} 23:59`);
    expect(textOf(other)).toBe(`${full.format(other)} 00:00`);
    expect(writtenDateText('20251231', language)).toBe(full.format(other));
    expect(fullTimeText(earlier.toISOString(), language)).toBe(`${full.format(earlier)} 23:59`);
  });
});
