/** Checksum rules that need more than their ranges: a condition, a table in the image, the original, or a key. */
import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { correctChecksums, needsOriginal, verifyChecksums } from '../../src/checksum/checksum.ts';
import type { ChecksumRule } from '../../src/checksum/scheme.ts';
import * as catalog from '../../src/checksum/crc-catalog.ts';
import {
  crcRule,
  everyKind,
  image,
  refusal,
  scheme,
  size,
  states,
  sumRule,
  writeU32,
} from './small-scheme.ts';

describe('a rule with a condition', () => {
  const sleeping: ChecksumRule = {
    ...sumRule,
    disabledWhen: { at: 0x3f0, type: 'u16be', equals: 'dead' },
  };

  test('is skipped while the image meets the condition', () => {
    const bytes = image();
    bytes.set([0xde, 0xad], 0x3f0);
    expect(states(scheme(sleeping), bytes)).toEqual(['disabled']);
    const { image: corrected, reports } = correctChecksums(scheme(sleeping, crcRule), bytes);
    expect(reports.map(({ state }) => state)).toEqual(['disabled', 'ok']);
    expect(corrected.subarray(0x300, 0x304)).toEqual(bytes.subarray(0x300, 0x304));
  });

  test('applies otherwise', () => {
    expect(states(scheme(sleeping), image())).toEqual(['mismatch']);
  });
});

describe('a range table in the image', () => {
  const tabled: ChecksumRule = {
    name: 'TABLED',
    ranges: {
      table: {
        at: 0x380,
        count: { at: 0x37c, type: 'u32le' },
        type: 'u32le',
        second: 'last',
        base: 0x80000000,
      },
    },
    algorithm: catalog.crc32IsoHdlc,
    result: { kind: 'store', at: 0x300, type: 'u32le' },
  };
  const withTable = (...words: number[]): Uint8Array => {
    const bytes = image();
    words.forEach((word, index) => {
      writeU32(bytes, 0x37c + 4 * index, word);
    });
    return bytes;
  };

  test('covers the listed ranges in their order', () => {
    const fixed: ChecksumRule = {
      ...tabled,
      ranges: [
        { at: 0x80, length: 0x40 },
        { at: 0, length: 0x10 },
      ],
    };
    const bytes = withTable(2, 0x80000080, 0x800000bf, 0x80000000, 0x8000000f);
    const { image: corrected } = correctChecksums(scheme(tabled), bytes);
    expect(states(scheme(fixed), corrected)).toEqual(['ok']);
    expect(states(scheme(tabled), corrected)).toEqual(['ok']);
  });

  test.each([
    ['a count that is too large', [1025, 0x80000000, 0x8000000f]],
    ['a count of all ones', [0xffffffff, 0x80000000, 0x8000000f]],
    ['no entries', [0]],
    ['an entry outside of the image', [1, 0x80000000, 0x80000400]],
    ['an address below the base', [1, 0x7fffffff, 0x8000000f]],
    ['an end before its start', [1, 0x80000010, 0x80000008]],
  ])('is refused as invalid with %s', (_, words) => {
    const bytes = withTable(...words);
    expect(states(scheme(tabled), bytes)).toEqual(['invalid']);
    expect(refusal(() => correctChecksums(scheme(tabled), bytes)).code).toBe(
      'CHECKSUM_UNCORRECTABLE',
    );
  });

  test('can list the whole image sixteen times, but not seventeen times', () => {
    const whole = (count: number): [ChecksumRule, Uint8Array] => {
      const bytes = image();
      for (let entry = 0; entry < count; entry += 1) {
        writeU32(bytes, 0x200 + 8 * entry, 0);
        writeU32(bytes, 0x204 + 8 * entry, size);
      }
      const table = { at: 0x200, count, type: 'u32le', second: 'length' } as const;
      return [{ ...tabled, ranges: { table } }, bytes];
    };
    const [sixteen, sixteenListed] = whole(16);
    expect(states(scheme(sixteen), sixteenListed)).toEqual(['mismatch']);
    const [seventeen, seventeenListed] = whole(17);
    expect(states(scheme(seventeen), seventeenListed)).toEqual(['invalid']);
  });

  test('stops rules that would read more than sixteen times the image', () => {
    const all: ChecksumRule = { ...crcRule, ranges: [{ at: 0, length: size }], required: false };
    const many = scheme(
      ...Array.from({ length: 17 }, (_, index) => ({ ...all, name: `R${index}` })),
    );
    const found = states(many, image());
    expect(found.slice(0, 16)).not.toContain('invalid');
    expect(found[16]).toBe('invalid');
  });

  // promise c.checksums.tables
  test('never throws, hangs or reads outside of the image, for any content', () => {
    const words = fc.array(
      fc.oneof(
        fc.nat(0xffffffff),
        fc.nat(0x3ff).map((at) => 0x80000000 + at),
      ),
      { minLength: 33, maxLength: 33 },
    );
    fc.assert(
      fc.property(fc.nat(17), words, (count, content) => {
        const bytes = withTable(count, ...content.slice(0, 32));
        const [state] = states(scheme(tabled), bytes);
        expect(['ok', 'mismatch', 'invalid']).toContain(state);
      }),
    );
  });
});

describe('a rule that needs the original', () => {
  const kept: ChecksumRule = {
    name: 'KEPT',
    ranges: [{ at: 0, length: 0x100 }],
    algorithm: catalog.crc32IsoHdlc,
    result: { kind: 'target', value: { asIn: 'original' }, free: { at: 0x20, length: 4 } },
    needsOriginal: true,
  };
  const salted: ChecksumRule = {
    name: 'SALTED',
    ranges: [{ at: 0x100, length: 0x100 }],
    algorithm: { kind: 'sum', unit: 2, order: 'le', width: 32 },
    result: {
      kind: 'store',
      at: 0x300,
      type: 'u32le',
      transform: { learnedFrom: 'original' },
      complementAt: 0x304,
    },
    needsOriginal: true,
  };
  const both = scheme(kept, salted);
  const original = (): Uint8Array => {
    const bytes = image();
    writeU32(bytes, 0x300, 0x12345678);
    writeU32(bytes, 0x304, ~0x12345678);
    return bytes;
  };
  const tuned = (): Uint8Array => {
    const bytes = original();
    bytes.set([1, 2, 3], 0x50);
    bytes.set([4, 5, 6], 0x150);
    return bytes;
  };

  test('declares that it needs the original', () => {
    expect(needsOriginal(both)).toBe(true);
    expect(needsOriginal(everyKind)).toBe(false);
  });

  test('cannot be verified without the original, and is refused with the right error', () => {
    expect(states(both, tuned())).toEqual(['uncheckable', 'uncheckable']);
    expect(refusal(() => correctChecksums(both, tuned()))).toEqual({
      code: 'ORI_MISSING',
      detail: 'KEPT, SALTED',
    });
    const other = original().subarray(0, 0x200);
    expect(refusal(() => correctChecksums(both, tuned(), other)).code).toBe('ORI_MISMATCH');
  });

  test('is valid in the original, invalid in a tune, and valid after correction', () => {
    expect(states(both, original(), original())).toEqual(['ok', 'ok']);
    expect(states(both, tuned(), original())).toEqual(['mismatch', 'mismatch']);
    const { image: corrected } = correctChecksums(both, tuned(), original());
    expect(states(both, corrected, original())).toEqual(['ok', 'ok']);
    const crc = scheme({ ...kept, result: { kind: 'store', at: 0x3f0, type: 'u32le' } });
    expect(verifyChecksums(crc, corrected)[0]?.calculated).toBe(
      verifyChecksums(crc, original())[0]?.calculated,
    );
  });
});

describe('a signature rule', () => {
  const signedRange = { at: 0, length: 0x100 };
  // promise c.checksums.signed
  test.each(['ed25519', 'rsa-sha256'] as const)('verifies %s, and never signs', (name) => {
    const pair =
      name === 'ed25519'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 1024 });
    const bytes = image();
    const message = bytes.subarray(0, 0x100);
    const signature = sign(name === 'ed25519' ? null : 'sha256', message, pair.privateKey);
    bytes.set(signature, 0x380);
    const signed: ChecksumRule = {
      name: 'SIGNED',
      ranges: [signedRange],
      algorithm: {
        kind: 'signature',
        name,
        publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
        length: signature.length,
      },
      result: { kind: 'store-bytes', at: 0x380 },
    };
    const all = scheme(signed, crcRule);
    expect(states(all, bytes)).toEqual(['ok', 'mismatch']);
    expect(states(all, correctChecksums(all, bytes).image)).toEqual(['ok', 'ok']);
    bytes[0x50] = 0;
    expect(states(all, bytes)).toEqual(['mismatch', 'mismatch']);
    expect(refusal(() => correctChecksums(all, bytes))).toEqual({
      code: 'CHECKSUM_UNCORRECTABLE',
      detail: 'SIGNED',
    });
    const reported = scheme({ ...signed, required: false }, crcRule);
    expect(states(reported, correctChecksums(reported, bytes).image)).toEqual(['mismatch', 'ok']);
  });
});
