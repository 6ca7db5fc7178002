/**
 * The text for an error: by its name, by its cause if there is a text for it, and with both sizes if it is a size
 * error.
 */
import { Refusal } from '@recodery/contract/refusal';
import type { FaultDetails } from '@recodery/contract/features/operations';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Fault,
  faultOf,
  partProblemOf,
  problemOf,
} from '../../src/features/recoding/fault.ts';
import { type Language, languages } from '../../src/i18n/languages.ts';
import { type KnownError, operationProblem, thrownProblem } from '../../src/i18n/problems.ts';
import { changeLanguage, startTexts } from '../../src/i18n/texts.ts';
import { wrongSizeText } from '../../src/i18n/wrong-size.ts';
import { allTexts } from './all-texts.ts';
import { beBrowser } from '../api/browser.ts';
import { operation } from '../recoding/results.ts';
import { t } from './t.ts';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  await startTexts('en-US');
});

const describeError = (error: KnownError) => operationProblem(t, error);
const textOf = (key: string) => String(Reflect.apply(t, null, [key]));
test('a reason that ends with a period gets no second one', () => {
  const error = {
    errorName: 'ENGINE_REFUSED',
    detail: 'HTTP 422: The file is not a slave file.',
    cause: null,
  };
  expect(describeError({ ...error, sizes: null }).advice).toMatch(/not a slave file\. Check/);
});

const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

/** The causes that share an error name, and that need different advice. */
const shared: readonly (readonly [errorName: string, causes: readonly string[]])[] = [
  ['VIRTUAL_READING_LOOKUP_ERROR', ['VR_LOOKUP_FAILED', 'VR_UNSUPPORTED']],
  ['KESS3_VIRTUAL_READING_NOT_SUPPORTED', ['VR_LOOKUP_FAILED', 'VR_UNSUPPORTED']],
  [
    'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
    ['MOD_WRONG_SIZE', 'MOD_IDENT_MISMATCH', 'ORI_MISMATCH', 'ORI_MISSING'],
  ],
  ['FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT', ['MOD_WRONG_SIZE', 'MOD_IDENT_MISMATCH']],
  [
    'KESS3_GENERIC_ERROR_WITH_CODE',
    ['CVN_ERROR', 'UNEXPECTED_TRAILING_DATA', 'FILE_TOO_LARGE', 'GENERIC_ERROR'],
  ],
  ['CHECKSUM_ERROR', ['READ_CHECKSUM_ERROR', 'CHECKSUM_UNCORRECTABLE', 'CHANGE_OVERWRITTEN']],
  ['KESS3_CHECKSUM_ERROR', ['READ_CHECKSUM_ERROR', 'CHECKSUM_UNCORRECTABLE', 'CHANGE_OVERWRITTEN']],
  ['FILE_CORRUPTED', ['FILE_CORRUPTED', 'REVOKED_KEY']],
  ['KESS3_DECRYPT_ERROR', ['FILE_CORRUPTED', 'REVOKED_KEY']],
  ['FILE_LOAD_ERROR', ['FILE_EMPTY', 'MOD_EMPTY']],
  ['KESS3_PATH_OR_FILE_NOT_FOUND', ['FILE_EMPTY', 'MOD_EMPTY']],
  [
    'UNEXPECTED_SIZE',
    ['FILE_TRUNCATED', 'UNEXPECTED_TRAILING_DATA', 'UNEXPECTED_SIZE', 'FILE_TOO_LARGE'],
  ],
  ['KESS3_COMPONENT_READ_ERROR', ['COMPONENT_DIGEST_MISMATCH', 'UNEXPECTED_SIZE']],
  ['KESS3_BAD_HEADER', ['BAD_HEADER', 'FILE_TRUNCATED']],
];

describe.each(languages)('in %s', (language) => {
  beforeAll(() => changeLanguage(language));

  // promise 8.display.cause
  test.each(shared)('%s has different advice for each cause', (errorName, causes) => {
    const problems = causes.map((cause) => describeError({ errorName, cause }));
    expect(new Set(problems.map(({ advice }) => advice)).size).toBe(causes.length);
    for (const { code } of problems) expect(code).toBe(errorName);
    for (const { headline, advice } of problems) expect(`${headline} ${advice}`).not.toMatch(/##/);
  });

  test('the advice for a wrong original is not to upload the modified file', () => {
    const modified = textOf('recoding.part.modified').toLowerCase();
    const cause = 'ORI_MISMATCH';
    const { headline, advice } = describeError({
      errorName: 'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
      cause,
    });
    expect(`${headline} ${advice}`.toLowerCase()).not.toContain(modified);
  });

  test('a wrong size is shown with the expected one', () => {
    const advice = describeError({
      errorName: 'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
      cause: 'MOD_WRONG_SIZE',
      sizes: { actual: 1_048_576, allowed: [524_288] },
    }).advice;
    expect(advice).toMatch(/^[^.。]*\b1\s\S+[^.。]*\b512\s\S+[^.。]*[.。]/u);
  });

  test('a slave of another group is described with the group, and one that is not linked without', () => {
    const errorName = 'KESS3_TOOL_NOT_FOUND';
    const inGroup = describeError({ errorName, cause: 'TOOL_NOT_FOUND', detail: 'G-11' });
    const unlinked = describeError({ errorName, cause: 'TOOL_NOT_FOUND', detail: null });
    expect(inGroup.advice).toContain('G-11');
    for (const { advice } of [inGroup, unlinked]) expect(advice).not.toMatch(/[()（）{}]|##/u);
    const [first, second] = [inGroup, unlinked].map(({ advice }) => advice.split(/[.。]/u)[0]);
    expect(first).not.toBe(second);
  });

  test('an unknown protocol is named', () => {
    expect(describeError({ errorName: 'ECU_NOT_SUPPORTED', detail: '7777' }).advice).toMatch(
      /\(7777\)|（7777）/u,
    );
    expect(describeError({ errorName: 'ECU_NOT_SUPPORTED' }).advice).not.toMatch(/[()（）]/u);
  });
});

describe('in English', () => {
  beforeAll(() => changeLanguage('en-US'));

  test('a cause without its own text, or no cause, uses the text of the name', () => {
    const errorName = 'FILE_CORRUPTED';
    const own = { headline: textOf(`RECOD_ERROR_${errorName}_TITLE`), code: errorName };
    expect(describeError({ errorName, cause: 'INFO_ERROR' })).toMatchObject(own);
    expect(describeError({ errorName, cause: null })).toMatchObject(own);
    expect(describeError({ errorName })).toMatchObject(own);
  });

  test('a refused upload has advice by its cause as well', () => {
    const details: FaultDetails = { detail: 'obd', cause: 'ORI_MISMATCH', sizes: null };
    const refusal = new Refusal('FILE_NOT_COMPATIBLE_WITH_READ_FILE', details);
    expect(thrownProblem(t, refusal)).toMatchObject({
      headline: 'The original file does not belong to this read',
      code: 'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
    });
  });

  // promise 8.display.sizes
  test.each([
    ['very different', 1000, [524_288], 'The size is 1,000 B; it must be 512 KiB.'],
    [
      'almost right, to the byte',
      524_287,
      [524_288],
      'The size is 512 KiB (524,287 B); it must be 512 KiB (524,288 B).',
    ],
    ['one of several', 100, [8192, 16_384], 'The size is 100 B; it must be 8 KiB or 16 KiB.'],
    [
      'between two',
      20 * 2 ** 20,
      { min: 1024, max: 2 ** 24 },
      'The size is 20 MiB; it must be between 1 KiB and 16 MiB.',
    ],
    [
      'beyond a limit',
      2 ** 27,
      { min: 0, max: 2 ** 26 },
      'The size is 128 MiB; the maximum is 64 MiB.',
    ],
  ] as const)('a size that is %s reads well', (_, actual, allowed, sentence) => {
    expect(spaced(wrongSizeText(t, { actual, allowed }, 'en-US'))).toBe(sentence);
  });

  // promise 8.display.bench-first-word
  test('a refused component is looked up by the first word of its code, and shows only that word', () => {
    const of = (code: string): Fault => ({
      kind: 'refused',
      thrown: new Refusal('GENERIC_ERROR', { detail: code }),
    });
    expect(partProblemOf(t, of('KESS3_MAPS_FILE_PROCESSING_ERROR map 3 of 7'))).toMatchObject({
      headline: textOf('RECOD_ERROR_KESS3_MAPS_FILE_PROCESSING_ERROR_TITLE'),
      code: 'KESS3_MAPS_FILE_PROCESSING_ERROR',
    });
    expect(partProblemOf(t, of('SOMETHING_NEW of a newer engine'))).toEqual({
      ...problemOf(t, of('SOMETHING_NEW')),
      code: 'SOMETHING_NEW',
    });
  });
});

test('every text for a cause belongs to an internal code of the name that it is for', () => {
  const known = new Set(
    shared.flatMap(([name, causes]) => causes.map((cause) => `${name}.${cause}`)),
  );
  const keys = allTexts('en-US' satisfies Language)
    .filter(({ key, isFault }) => isFault && key.includes('.') && key.startsWith('RECOD_ERROR_'))
    .map(({ key }) => key.replace(/^RECOD_ERROR_/, '').replace(/_TITLE$/, ''));
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter((key) => !known.has(key))).toEqual([]);
});

// promise 8.display.newer-name
test('an operation that failed with an error of a newer server ends, with the generic text and its name', () => {
  const error = { errorName: 'FROM_A_NEWER_SERVER', detail: 'x', cause: 'NEWER_CAUSE' };
  const newer = operation({ status: 'failed', isCompleted: true, hasFailed: true, error });
  expect(problemOf(t, faultOf(newer))).toEqual({
    headline: t('GENERIC_ERROR_TITLE'),
    advice: t('GENERIC_ERROR'),
    code: 'FROM_A_NEWER_SERVER',
  });
});
