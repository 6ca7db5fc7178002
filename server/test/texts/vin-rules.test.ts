/** A VIN is found anywhere in a text, and nothing else is mistaken for one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { automaticName } from '@recodery/contract/file-names';
import { vinHider } from '../../src/texts/vin-rules.ts';

function hideVin(text: string, vin: string | null): string {
  return vinHider(vin)(text);
}

const letters = [...'ABCDEFGHJKLMNPRSTUVWXYZ'];
const signs = [...letters, ...'0123456789'];
const text = (of: readonly string[], length: number) =>
  fc.string({ unit: fc.constantFrom(...of), minLength: length, maxLength: length });
/** VINs as ISO 3779 defines them: a manufacturer with a letter, then anything, four digits at the end. */
const vins = fc
  .tuple(fc.constantFrom(...letters), text(signs, 12), text([...'0123456789'], 4))
  .map((parts) => parts.join(''));
/** What people write before and after a VIN in a name. */
const around = fc.constantFrom('', ' ', '_', '-', '.', ' - ', '(', ')', 'read_', ' golf', '…');

describe('an unknown VIN', () => {
  test('is hidden as a separate word, in any case, every time it occurs', () => {
    fc.assert(
      fc.property(vins, around, around, fc.boolean(), (vin, before, behind, isLower) => {
        const written = isLower ? vin.toLowerCase() : vin;
        fc.pre(!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(behind));
        expect(hideVin(`${before}${written}${behind}.k2r`, null)).toBe(`${before}…${behind}.k2r`);
        expect(hideVin(`${written} ${written}`, null)).toBe('… …');
      }),
    );
  });

  test.each([
    ['ZAR93900001234567.k2r', '….k2r'],
    ['wvwzzz1kzaw123456_stage1.moc', '…_stage1.moc'],
    ['Golf (WVWZZZ1KZAW123456) v2', 'Golf (…) v2'],
    ['1FTFW1ET5DFC10312', '…'],
  ])('%j is shown as %j', (name, shown) => {
    expect(hideVin(name, null)).toBe(shown);
  });
});

describe('a text that is not a VIN', () => {
  test.each([
    ['a date with milliseconds', 'read 20261121103000123.k2r'],
    ['a serial and a date', 'KS3-000042-20261121.k3r'],
    ['hardware and software', '0281012345_1037512345_SW.bin'],
    ['a number with I, O or Q', 'WVWZZZ1KZIW123456 WVWZZZ1KZOW123456 WVWZZZ1KZQW123456'],
    ['a word of 17 letters', 'CHECKSUMCORRECTED.bin'],
    ['one letter fewer, one more', 'WVWZZZ1KZA123456 WVWZZZ1KZAWX123456'],
    ['a hash', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['a stem with its extension', 'WVWZZZ1KZAW.12345.bin'],
    ['no four digits at the end', 'EDC17C46VAGTDI140'],
  ])('%s is unchanged: %j', (_, name) => {
    expect(hideVin(name, null)).toBe(name);
  });

  test('is unchanged: GUIDs, times, hashes and the names that we generate', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        text([...'0123456789abcdef'], 64),
        text(signs, 6),
        fc.integer({ min: 1000, max: 9999 }),
        (guid, time, hash, serial, protocolId) => {
          const family = 'kess3';
          const slaveSerialNumber = `KS3-${serial}`;
          const made = automaticName({
            family,
            slaveSerialNumber,
            protocolId,
            time,
            timeZone: 'UTC',
          });
          const stamp = time.toISOString().replace(/\D/g, '');
          for (const name of [guid, newGuid(), hash, stamp, time.toISOString(), `${made}.moc`]) {
            expect(hideVin(name, null)).toBe(name);
          }
        },
      ),
    );
  });
});

describe('the VIN of the read', () => {
  const vin = 'ZAR93900001234567';

  test.each([
    ['ofZAR93900001234567.k2r', 'of….k2r'],
    ['zar-939000-01234567.k2r', '….k2r'],
    ['ZAR 939000 0123 4567 and zar93900001234567', '… and …'],
    ['ZAR939', 'ZAR939'],
  ])('is hidden in %j, also within a word and in groups: %j', (name, shown) => {
    expect(hideVin(name, vin)).toBe(shown);
  });

  test('is hidden in any form, except if it is too short', () => {
    expect(hideVin('a JF1-IOQ77 b', 'jf1ioq77')).toBe('a … b');
    expect(hideVin('a ABC12 b', 'ABC12')).toBe('a ABC12 b');
    expect(hideVin('(.*) [a-z]+', '(.*) [a-z]+')).toBe('(.*) [a-z]+');
    expect(hideVin('nothing of it', '')).toBe('nothing of it');
  });

  test('is hidden regardless of the rules of its alphabet', () => {
    for (const vin of ['123456ABΣ', '123456ABß', 'ſ23456ABK', '123456ABὈ\u0345'])
      for (const shown of [vin, vin.toLowerCase()])
        expect(vinHider(vin)(`${shown} engine`)).not.toMatch(/23456/);
  });

  test('is ignored if it has no digits, or more letters than a VIN has', () => {
    expect(hideVin('the encode succeeded', 'succeeded')).toBe('the encode succeeded');
    expect(hideVin('a'.repeat(40), 'a1'.repeat(20))).toBe('a'.repeat(40));
    expect(hideVin('文件', 'я'.repeat(5400))).toBe('文件');
  });

  test('and another one next to it are both hidden', () => {
    expect(hideVin(`${vin} not WVWZZZ1KZAW123456`, vin)).toBe('… not …');
  });

  test('never appears in what is shown', () => {
    fc.assert(
      fc.property(vins, fc.string(), fc.string(), (known, before, behind) => {
        expect(hideVin(before + known + behind, known)).not.toContain(known);
      }),
    );
  });
});
