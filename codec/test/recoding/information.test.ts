/** INFO's fields, read and written. */

import { informationKeys } from '@recodery/contract/families/information';
import { describe, expect, test } from 'vitest';
import { CodecError } from '../../src/errors.ts';
import {
  informationShortNames,
  parseInfo,
  readInformation,
  writeInfo,
} from '../../src/recoding/information.ts';

describe('INFO', () => {
  test('returns what was written, with the keys in a fixed order', () => {
    const bytes = writeInfo({ vin: 'ZAR', hardware: '0281', notOurs: 'x' });
    expect(Buffer.from(bytes).toString()).toBe('{"hardware":"0281","notOurs":"x","vin":"ZAR"}');
    expect(parseInfo(bytes)).toEqual({ vin: 'ZAR', hardware: '0281', notOurs: 'x' });
  });

  test('is not written if it is longer than 16 KiB', () => {
    expect(() => writeInfo({ vin: 'x'.repeat(16 * 1024) })).toThrow(RangeError);
  });

  test('contains null for missing values and text for the others', () => {
    const said = { vin: '  ZAR ', hardware: 281, software: '   ', spare: ['x'], system: null };
    const information = readInformation(said);
    expect(Object.keys(information)).toEqual([...informationKeys]);
    expect(information).toMatchObject({
      vin: 'ZAR',
      hardware: '281',
      software: null,
      spare: null,
      system: null,
      engine: null,
    });
  });

  test.each([
    ['with a zero character', 'A\u0000B', 'A B'],
    ['with a direction mark', 'A\u202eB', 'A B'],
    ['on two lines', 'A\r\nB', 'A B'],
    ['with a lone surrogate', 'A\udc00', 'A\ufffd'],
    ['of control characters only', '\u0000\u200e', null],
    ['longer than the limit', 'я'.repeat(5400), 'я'.repeat(128)],
  ])('returns a text %s in displayable form', (_what, vin, shown) => {
    expect(readInformation({ vin }).vin).toBe(shown);
  });

  test('reads no field from the object prototype', () => {
    const parsed = parseInfo(Buffer.from('{"__proto__":{"vin":"inherited"}}'));
    expect(readInformation(parsed).vin).toBeNull();
  });

  test('is an error if it is missing', () => {
    expect(() => parseInfo(null)).toThrow(new CodecError('INFO_ERROR'));
  });
});

test('maps every short name to a field', () => {
  const named = Object.values(informationShortNames);
  expect(new Set(named)).toEqual(new Set(informationKeys));
});
