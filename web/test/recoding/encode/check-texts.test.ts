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
import i18next from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { preflightSummary } from '../../../src/features/recoding/encode/preflight-summary.ts';
import { checkText } from '../../../src/features/recoding/encode/preflight-text.ts';
import { type Language, languages } from '../../../src/i18n/languages.ts';
import { changeLanguage, startTexts, withTexts } from '../../../src/i18n/texts.ts';
import { beBrowser } from '../../api/browser.ts';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  await startTexts('en-US');
  await withTexts(Promise.resolve(), 'checks', 'encode', 'utility');
});

type Id = PreflightCheck['id'];
type Status = PreflightCheck['status'];

/** The statuses that the server gives each check. */
const statuses: Readonly<Record<Id, readonly Status[]>> = {
  files: ['green', 'red'],
  'read-checksums': ['green', 'amber', 'unchecked'],
  original: ['green', 'amber', 'red', 'unchecked'],
  size: ['green', 'red', 'unchecked'],
  'map-file': ['green', 'red'],
  fit: ['amber', 'unchecked'],
  identification: ['green', 'amber', 'red', 'unchecked'],
  checksums: ['green', 'amber', 'red', 'unchecked'],
  'known-checksums': ['green', 'amber', 'red', 'unchecked'],
  overwritten: ['green', 'amber', 'red', 'unchecked'],
  cvn: ['green', 'amber', 'red', 'unchecked'],
  identical: ['green', 'amber', 'unchecked'],
  'much-changed': ['green', 'amber', 'unchecked'],
  'outside-calibration': ['green', 'amber', 'unchecked'],
  'known-elsewhere': ['green', 'amber'],
  'already-tuned': ['green', 'amber', 'unchecked'],
};

/** Every reason why a check was not made. */
const reasons = Object.keys({
  'engine-does-not-report': true,
  'no-scheme': true,
  'no-known-scheme': true,
  'no-identification': true,
  'no-cvn': true,
  'no-areas': true,
  'no-image-in-read': true,
  'no-original-in-library': true,
  'no-numbers-in-read': true,
  'refused-before': true,
  'not-certain': true,
  'engine-unavailable': true,
} satisfies Record<NonNullable<PreflightCheck['reason']>, true>);

const count = fc.integer({ min: 1, max: 600_000 });
const place = { at: 0x6010c, length: 4, shownAt: 0x6010c, before: 'a0b1c2d3', after: '17f0939e' };
const rule = fc.record({
  rule: fc.constantFrom('BOOT', 'CALIBRATION', 'CALIBRATION-COPY'),
  state: fc.constantFrom('right', 'corrected', 'wrong', 'disabled'),
});
const names = (min: number) =>
  fc.uniqueArray(fc.constantFrom('BOOT', 'CALIBRATION-COPY', 'CVN'), { minLength: min });
const span = fc.record({ offset: fc.nat(0x7_ffff), length: count });
const share = fc.double({ min: 1e-9, max: 1, noNaN: true });

type Values = Readonly<Record<string, unknown>>;
const many = (shape: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Values> =>
  fc.record(shape);

/** The values that a check can have with a status, as the server combines them. */
function valuesOf(id: Id, status: Status): fc.Arbitrary<Values | null> {
  const isAmber = status === 'amber';
  const zero = fc.constant(0);
  switch (id) {
    case 'size':
      return many({ actual: count, allowed: fc.constant([524_288]) });
    case 'original':
      return isAmber
        ? many({ bytes: fc.option(count), isModified: fc.boolean(), rules: names(1) })
        : many({ bytes: zero, isModified: fc.constant(false), rules: fc.constant([]) });
    case 'read-checksums':
      return many({ rules: names(isAmber ? 1 : 0) });
    case 'identification': {
      const field = { name: fc.constantFrom('vin', 'softwareDate', 'spare', 'software') };
      const changed = fc.record({ ...field, before: fc.constant('A'), after: fc.constant(null) });
      return many({ changed: fc.array(changed, isAmber ? { minLength: 1 } : { maxLength: 0 }) });
    }
    case 'checksums': {
      const wrong = fc.constant({ rule: 'BOOT', state: 'wrong' });
      const rules = fc
        .array(rule, { maxLength: 3 })
        .map((all) => all.filter(({ state }) => isAmber || state !== 'wrong'));
      return fc
        .tuple(rules, wrong, fc.boolean())
        .map(([all, one, isSkipped]) => ({ isSkipped, rules: isAmber ? [...all, one] : all }))
        .map((all) => ({ ...all, rules: all.rules.map((one) => ({ ...one, places: [place] })) }));
    }
    case 'known-checksums': {
      const part = fc.record({
        name: fc.constantFrom('Main', 'CRC', 'Multipoint 2'),
        state: fc.constantFrom(
          ...(isAmber ? ['wrong', 'off', 'not-checked'] : ['right', 'corrected']),
        ),
        ...{ rules: count, wrong: count, wasWrong: fc.boolean() },
        isTableChanged: isAmber ? fc.boolean() : fc.constant(false),
      });
      return many({
        ...{
          scheme: fc.constant('Bosch ME7'),
          isProved: isAmber ? fc.boolean() : fc.constant(true),
          bytes: count,
        },
        ...{ canCorrect: fc.boolean(), willCorrect: fc.boolean() },
        parts: fc.array(part, { minLength: 1, maxLength: 3 }),
        signature: isAmber
          ? fc.constantFrom('wrong', 'not-checked', null)
          : fc.constantFrom('valid', null),
        lost: isAmber ? fc.constantFrom([], ['CRC']) : fc.constant([]),
      });
    }
    case 'overwritten':
      return status === 'green'
        ? many({ bytes: zero, spans: fc.constant([]), rules: fc.constant([]) })
        : many({
            bytes: count,
            spans: fc.array(span, { minLength: 1, maxLength: 3 }),
            rules: names(1),
          });
    case 'cvn':
      return fc.boolean().map((willCorrect) => ({
        ...{ original: '4ad31f07', modified: '9e0021bc', willCorrect },
        encoded: willCorrect && !isAmber ? '4ad31f07' : '9e0021bc',
      }));
    case 'identical':
      return many({ bytes: isAmber ? zero : count });
    case 'much-changed':
      return many({
        ...{ bytes: isAmber ? count : fc.oneof(zero, count), size: fc.constant(524_288) },
        ...{ fraction: share, calibration: fc.option(share) },
      });
    case 'outside-calibration':
      return fc
        .tuple(count, fc.option(count), fc.boolean(), fc.nat(20), fc.nat(20), span)
        .map(([some, other, hasCalibration, identificationBytes, checksumBytes, first]) => {
          // all of them are protected, or some
          const more = other ?? some;
          const bytes = isAmber ? Math.max(some, more) : 0;
          const guarded = isAmber ? Math.min(some, more) : 0;
          return {
            ...{ bytes, hasCalibration, identificationBytes, checksumBytes },
            // without a calibration only protected bytes are counted
            protectedBytes: hasCalibration ? guarded : bytes,
            spans: isAmber ? [first] : [],
          };
        });
    case 'known-elsewhere': {
      const newest = {
        slotGUID: '01890000-0000-7000-8000-000000000001',
        ...{ readFileName: 'golf.kv2', slaveSerialNumber: null },
        decodedOn: '2026-03-02T09:30:00.000Z',
      };
      if (!isAmber) return fc.constant({ otherPart: null, count: 0, newest: null });
      return fc.constantFrom(
        { otherPart: null, count: 1, newest },
        { otherPart: 'micro', count: 0, newest: null },
        { otherPart: 'Flash', count: 1, newest },
      );
    }
    case 'already-tuned':
      return many({ bytes: isAmber ? count : zero });
    case 'fit':
      return fc.constant({
        kind: 'swapped',
        details: { size: 524_288, imageSize: 524_288, transformation: 'pairs' },
        repair: null,
      });
    default:
      return fc.constant({});
  }
}

function aCheck(id: Id, status: Status): fc.Arbitrary<PreflightCheck> {
  const isMade = status === 'green' || status === 'amber';
  // a vendor's engine can be the cause of every missing check
  const reason = status === 'unchecked' ? fc.constantFrom(...reasons) : fc.constant(null);
  const detail = fc.constantFrom(null, 'BOOT-SIGNATURE');
  return fc
    .tuple(
      isMade || id === 'overwritten' ? valuesOf(id, status) : fc.constant(null),
      reason,
      detail,
    )
    .map(([values, why, rules]) => {
      const error =
        status === 'red' ? { errorName: 'CHECKSUM_ERROR', detail: rules, cause: 'ANY' } : null;
      const part = id === 'files' ? null : id === 'original' ? 'original' : 'modified';
      const own = status === 'unchecked' ? null : values;
      return preflightCheck.parse({ id, status, part, error, reason: why, values: own });
    });
}

const ids = Object.keys(statuses) as Id[];
const anyCheck = (id: Id) => fc.constantFrom(...statuses[id]).chain((status) => aCheck(id, status));
const answer: fc.Arbitrary<PreflightAnswer> = fc
  .tuple(...ids.map((id) => fc.option(anyCheck(id), { freq: 4 })))
  .map((found) => {
    const checks = found.filter((check) => check !== null);
    const has = (status: Status) => checks.some((check) => check.status === status);
    return {
      status: has('red') ? 'red' : has('amber') ? 'amber' : 'green',
      unchecked: checks.filter(({ status }) => status === 'unchecked').length,
      draft: { files: {}, removed: null, willCorrectCVN: false, willSkipChecksum: false },
      checks,
    };
  });

const wordsIn = (language: Language) => ({
  ...{ t: i18next.t, language, now: new Date('2026-11-26T12:00:00Z') },
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
  ) => preflightSummary({ t: i18next.t, language: 'en-US' }, all, { missing, earlier, removed });

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
