/** INFO's fields, read and written. */

import { describe, expect, test } from 'vitest';
import { CodecError } from '../src/errors.ts';
import {
  informationKeys,
  informationShortNames,
  parseInfo,
  readInformation,
  writeInfo,
} from '../src/families/information.ts';

describe('INFO', () => {
  test('gives back what was written, keys in a fixed order', () => {
    const bytes = writeInfo({ vin: 'ZAR', hardware: '0281', notOurs: 'x' });
    expect(Buffer.from(bytes).toString()).toBe('{"hardware":"0281","notOurs":"x","vin":"ZAR"}');
    expect(parseInfo(bytes)).toEqual({ vin: 'ZAR', hardware: '0281', notOurs: 'x' });
  });

  test('longer than 16 KiB is not written', () => {
    expect(() => writeInfo({ vin: 'x'.repeat(16 * 1024) })).toThrow(RangeError);
  });

  test('is null where nothing is said, and text where something is', () => {
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
    ['that turns the direction', 'A\u202eB', 'A B'],
    ['on two lines', 'A\r\nB', 'A B'],
    ['with half a character', 'A\udc00', 'A\ufffd'],
    ['of nothing but signs', '\u0000\u200e', null],
    ['longer than anything is named', 'я'.repeat(5400), 'я'.repeat(128)],
  ])('gives a text %s as it can be shown', (_what, vin, shown) => {
    expect(readInformation({ vin }).vin).toBe(shown);
  });

  test('takes no field from what every object has', () => {
    const parsed = parseInfo(Buffer.from('{"__proto__":{"vin":"inherited"}}'));
    expect(readInformation(parsed).vin).toBeNull();
  });

  test('that is missing is an error', () => {
    expect(() => parseInfo(null)).toThrow(new CodecError('INFO_ERROR'));
  });
});

test('every short name stands for a field', () => {
  const named = Object.values(informationShortNames);
  expect(new Set(named)).toEqual(new Set(informationKeys));
});
