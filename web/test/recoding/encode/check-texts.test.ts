/**
 * The sentences of the checks agree with their numbers and with each other, for every check and status, and the summary
 * is never green while something was not checked or is missing. The answers are generated.
 */
import {
  type PreflightAnswer,
  type PreflightCheck,
  preflightCheck,
} from '@recodery/contract/features/recoding/preflight';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { preflightSummary } from '../../../src/features/recoding/encode/preflight-summary.ts';
import { checkText } from '../../../src/features/recoding/encode/preflight-text.ts';
import { type Language, languages } from '../../../src/i18n/languages.ts';
import { changeLanguage, startTexts, withTexts } from '../../../src/i18n/texts.ts';
import { beBrowser } from '../../api/browser.ts';
import { statuses, aCheck, ids, answer } from './any-preflight.ts';
import { t } from '../../texts/t.ts';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  await startTexts('en-US');
  await withTexts(Promise.resolve(), 'checks', 'encode', 'utility');
});

const wordsIn = (language: Language) => ({
  ...{ t, language, now: new Date('2026-11-26T12:00:00Z') },
  labelOf: (field: string) => field.toUpperCase(),
});
const textOf = (check: PreflightCheck, all: readonly PreflightCheck[]) =>
  checkText(wordsIn('en-US'), check, all);

/** The English sentences of an answer, by check. */
function sentencesOf({ checks }: PreflightAnswer) {
  return new Map(checks.map((check) => [check.id, textOf(check, checks).sentence] as const));
}

/** Runs an expectation on every generated answer. */
const forAll = (expectation: (answer: PreflightAnswer) => void): void => {
  fc.assert(fc.property(answer, expectation), { numRuns: 400 });
};

describe.each(languages)('in %s', (language) => {
  // promise 5.preflight.sentences
  test('every check has a whole sentence in every status, with all its values filled in', async () => {
    await changeLanguage(language);
    for (const id of ids) {
      for (const status of statuses[id]) {
        fc.assert(
          fc.property(aCheck(id, status), (check) => {
            const { sentence, next } = checkText(wordsIn(language), check, [check]);
            for (const text of [sentence, ...(next === null ? [] : [next])]) {
              expect(text, `${id} ${status}`).toMatch(/\S.*[.。]$/u);
              // a missing text, an empty value, or a value that was not filled in
              expect(text, `${id} ${status}`).not.toMatch(
                /##|[{}]|undefined|NaN|[:：]\s*[.。,，]|\(\)/u,
              );
            }
            if (status !== 'green') expect(next, `${id} ${status}`).not.toBeNull();
          }),
          { numRuns: 25 },
        );
      }
    }
    await changeLanguage('en-US');
  });
});

describe('the sentences of one answer', () => {
  test('never count 0 changed bytes', () =>
    forAll((all) => {
      expect(sentencesOf(all).get('much-changed') ?? '').not.toMatch(/\b0\b(?!\.)/);
    }));

  test('name what was not checked without repeating that it was not checked', () =>
    forAll((all) => {
      for (const check of all.checks.filter(({ status }) => status === 'unchecked'))
        expect(textOf(check, all.checks).sentence).not.toMatch(
          /\b(?:not|cannot|neither)\b.*check/i,
        );
    }));

  test('call checksums wrong in the original only if the read has no image to compare with', () =>
    fc.assert(
      fc.property(aCheck('original', 'amber'), fc.boolean(), (made, isInRead) => {
        const check = preflightCheck.parse({
          ...made,
          values: { bytes: isInRead ? 0 : null, isModified: false, rules: ['BOOT'] },
        });
        expect(textOf(check, [check]).sentence).toBe(
          isInRead
            ? 'Checksums of the read that do not match the original file: BOOT.'
            : 'Wrong checksums in the original file: BOOT.',
        );
      }),
      { numRuns: 20 },
    ));

  test('show a dash for a number that an image has not', () =>
    fc.assert(
      fc.property(aCheck('identification', 'amber'), (check) => {
        expect(textOf(check, [check]).sentence).not.toContain('null');
      }),
    ));

  test('never say that everything is in the calibration when a field of the identification was edited', () =>
    forAll((all) => {
      const outside = all.checks.find((check) => check.id === 'outside-calibration');
      const edited = outside?.values?.identificationBytes ?? 0;
      if (outside?.status !== 'green' || edited === 0 || !outside.values?.hasCalibration) return;
      expect(sentencesOf(all).get('outside-calibration')).toContain('identification');
    }));

  test('never say that nothing changes while a checksum is corrected', () =>
    forAll((all) => {
      const texts = sentencesOf(all);
      if (!/checksums? will be corrected/.test(texts.get('checksums') ?? '')) return;
      expect(texts.get('identical') ?? '').not.toContain('Nothing would change');
    }));

  test('name the original where the read has no image to compare with', () =>
    forAll((all) => {
      const original = all.checks.find((check) => check.id === 'original');
      const isAgainst =
        original !== undefined && original.status !== 'red' && original.values?.bytes == null;
      const identical = all.checks.find((check) => check.id === 'identical');
      if (identical === undefined || identical.status === 'unchecked') return;
      expect(sentencesOf(all).get('identical')).toContain(
        isAgainst ? 'original file' : 'decoded file',
      );
    }));

  test('say that all of the changed bytes are protected if they are, else how many', () =>
    forAll((all) => {
      const check = all.checks.find(({ id }) => id === 'outside-calibration');
      if (check?.id !== 'outside-calibration' || check.status !== 'amber' || !check.values) return;
      const { bytes, protectedBytes } = check.values;
      const { sentence, next } = textOf(check, all.checks);
      expect(sentence).toContain(new Intl.NumberFormat('en-US').format(bytes));
      if (protectedBytes === bytes) expect(sentence).toContain('in protected areas');
      else if (protectedBytes > 0)
        expect(next).toContain(new Intl.NumberFormat('en-US').format(protectedBytes));
      else expect(`${sentence}${next}`).not.toContain('protected');
    }));

  test('never show a share below 1 as 100%, or above 0 as 0%', () =>
    forAll((all) => {
      const check = all.checks.find(({ id }) => id === 'much-changed');
      if (check?.id !== 'much-changed' || check.status !== 'amber') return;
      const { fraction = 0, calibration = null } = check.values ?? {};
      const [shown] = /^[\d.,]+%/.exec(textOf(check, all.checks).sentence) ?? [];
      expect(shown).toBeDefined();
      expect(shown).not.toBe('0%');
      if (Math.max(fraction, calibration ?? 0) < 1) expect(shown).not.toBe('100%');
    }));
});

describe('the summary', () => {
  const verdictOf = (
    all: PreflightAnswer,
    missing: readonly string[],
    earlier: readonly string[] = [],
    removed: readonly string[] = [],
  ) => preflightSummary({ t, language: 'en-US' }, all, { missing, earlier, removed });

  const flash = fc.constantFrom([], ['flash']);
  const refusals = fc.record({ missing: flash, earlier: flash, removed: flash });

  // promise 5.preflight.panel-limited
  test('is green only if every check passed and no file is missing', () =>
    fc.assert(
      fc.property(answer, refusals, (all, { missing, earlier, removed }) => {
        const { verdict, title } = verdictOf(all, missing, earlier, removed);
        const isGreen = all.checks.every(({ status }) => status === 'green');
        const isWhole = missing.length + earlier.length + removed.length === 0;
        expect(verdict === 'passed').toBe(isGreen && isWhole);
        expect(title === 'All checks passed').toBe(verdict === 'passed');
      }),
      { numRuns: 1000 },
    ));

  // promise 5.preflight.panel-limited
  test('names the component whose file was refused, even if everything else passed', () => {
    const all = { ...fc.sample(answer, 1)[0], status: 'green' as const, checks: [] };
    const summary = verdictOf(all as PreflightAnswer, ['flash', 'eeprom']);
    const title = 'Incomplete: the file for Flash and EEPROM is missing';
    expect(summary).toEqual({ verdict: 'open', title });
    const earlier = verdictOf(all as PreflightAnswer, [], ['flash']);
    expect(earlier).toEqual({ verdict: 'open', title: 'Flash: checked with the earlier file' });
    // also if a user has left the component out
    expect(verdictOf(all as PreflightAnswer, [], [], ['flash', 'eeprom'])).toEqual(summary);
  });

  test('counts what is listed: several components with the same limit are one item', () => {
    const of = (part: string): PreflightCheck => ({
      ...{ id: 'checksums', status: 'unchecked', part, error: null, values: null },
      reason: 'no-scheme',
    });
    const [sample] = fc.sample(answer, 1);
    const all = { ...sample, status: 'green' as const, checks: [of('Flash'), of('Micro')] };
    expect(verdictOf(all as PreflightAnswer, [])).toEqual({
      verdict: 'limited',
      title: 'Passed, but 1 item could not be checked',
    });
  });
});
