/** Checksum rules of every kind: verified, corrected, and refused if they cannot be corrected. */
import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  correctChecksums,
  isChecksumFault,
  needsOriginal,
  verifyChecksums,
} from '../../src/checksum/checksum.ts';
import type { ChecksumRule, ChecksumScheme, Range } from '../../src/checksum/scheme.ts';
import * as catalog from '../../src/checksum/crc-catalog.ts';
import { CodecError } from '../../src/errors.ts';

const size = 0x400;
const image = (): Uint8Array =>
  Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 5)) & 0xff);
const scheme = (...rules: ChecksumRule[]): ChecksumScheme => rules;

const sumRule: ChecksumRule = {
  name: 'SUM',
  ranges: [{ at: 0, length: 0x100 }],
  algorithm: { kind: 'sum', unit: 4, order: 'le', width: 32 },
  result: { kind: 'store', at: 0x300, type: 'u32be' },
};
const crcRule: ChecksumRule = {
  name: 'CRC',
  ranges: [{ at: 0x100, length: 0x100 }],
  algorithm: catalog.crc32Mpeg2,
  result: { kind: 'store', at: 0x304, type: 'u32le' },
};

const states = (of: ChecksumScheme, bytes: Uint8Array, original?: Uint8Array): string[] =>
  verifyChecksums(of, bytes, original).map(({ state }) => state);

/** The codec error that a call throws. */
function refusal(call: () => unknown): { code: string; detail: string | null } {
  let thrown: unknown = null;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  if (!(thrown instanceof CodecError)) {
    throw new Error(`no CodecError but ${String(thrown)}`);
  }
  return { code: thrown.internalCode, detail: thrown.detail };
}

function writeU32(bytes: Uint8Array, at: number, value: number): void {
  new DataView(bytes.buffer).setUint32(at, value, true);
}

/** Every kind of algorithm and result; each rule has its own area. */
const everyKind = scheme(
  sumRule,
  crcRule,
  {
    name: 'NEGATED-SUM',
    ranges: [
      { at: 0x001, length: 0x2b },
      { at: 0x80, length: 0x11 },
    ],
    algorithm: { kind: 'sum', unit: 1, order: 'le', width: 16, start: 'beef' },
    result: { kind: 'store', at: 0x308, type: 'u16le', transform: 'neg' },
  },
  {
    name: 'WIDE-SUM',
    ranges: [{ at: 0, length: 0x200 }],
    algorithm: { kind: 'sum', unit: 2, order: 'be', width: 64, start: 'fffffffffffffff0' },
    result: { kind: 'store', at: 0x310, type: 'u64be', transform: 'not' },
  },
  {
    name: 'XOR-PAIR',
    ranges: [{ at: 0x20, length: 0x40 }],
    algorithm: { kind: 'xor', unit: 2, order: 'be', start: '55aa' },
    result: { kind: 'store', at: 0x318, type: 'u16be', complementAt: 0x31a },
  },
  {
    name: 'BYTE-CRC-FROM-CONSTANT',
    ranges: [{ at: 0x40, length: 0x20 }],
    algorithm: catalog.crc8SaeJ1850,
    result: { kind: 'store', at: 0x31c, type: 'u8', transform: { minus: '5a' } },
  },
  {
    name: 'MIRROR',
    ranges: [
      { at: 0x10, length: 0x10 },
      { at: 0x90, length: 0x10 },
    ],
    algorithm: { kind: 'copy' },
    result: { kind: 'store-bytes', at: 0x320, transform: 'not' },
  },
  {
    name: 'DIGEST',
    ranges: [{ at: 0x180, length: 0x80 }],
    algorithm: { kind: 'digest', name: 'sha-256' },
    result: { kind: 'store-bytes', at: 0x340 },
  },
  {
    name: 'CRC-TARGET',
    ranges: [
      { at: 0x200, length: 0x40 },
      { at: 0x300, length: 0x40 },
    ],
    algorithm: catalog.crc16Arc,
    result: { kind: 'target', value: '1234', free: { at: 0x210, length: 2 } },
  },
  {
    name: 'SUM-TARGET',
    ranges: [{ at: 0x240, length: 0x20 }],
    algorithm: { kind: 'sum', unit: 2, order: 'le', width: 16 },
    result: { kind: 'target', value: 'ffff', free: { at: 0x244, length: 2 } },
  },
  {
    name: 'XOR-TARGET',
    ranges: [{ at: 0x260, length: 0x20 }],
    algorithm: { kind: 'xor', unit: 4, order: 'be' },
    result: { kind: 'target', value: '0', free: { at: 0x268, length: 4 } },
  },
);
/** The bytes that no rule covers or writes. */
const uncovered: readonly Range[] = [
  { at: 0x280, length: 0x80 },
  { at: 0x360, length: 0xa0 },
];

describe('verification', () => {
  test('reports the stored and the expected value', () => {
    const bytes = image();
    writeU32(bytes, 0x300, 0x04030201);
    const [report] = verifyChecksums(scheme(sumRule), bytes);
    const total = new Uint32Array(bytes.buffer, 0, 64).reduce((all, word) => (all + word) >>> 0, 0);
    const calculated = total.toString(16).padStart(8, '0');
    expect(report).toEqual({ rule: 'SUM', state: 'mismatch', stored: '01020304', calculated });
  });

  // promise c.checksums.verify
  test('never writes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: size, maxLength: size }), (bytes) => {
        const before = bytes.slice();
        verifyChecksums(everyKind, bytes);
        expect(bytes).toEqual(before);
      }),
      { numRuns: 20 },
    );
  });

  test('reports wrong or impossible checksums as faults unless the rule is optional', () => {
    const optional: ChecksumRule = { ...crcRule, required: false };
    const impossible: ChecksumRule = {
      ...sumRule,
      name: 'FAR',
      ranges: [{ at: 0, length: size + 4 }],
    };
    const all = scheme(sumRule, optional, impossible);
    const faults = verifyChecksums(all, image()).filter((report) => isChecksumFault(all, report));
    expect(faults.map(({ rule }) => rule)).toEqual(['SUM', 'FAR']);
  });
});

describe('correction', () => {
  test('corrects rules of every kind together, and leaves bytes that no rule writes unchanged', () => {
    const bytes = image();
    const before = bytes.slice();
    const { image: corrected, reports } = correctChecksums(everyKind, bytes);
    expect(reports.map(({ state }) => state)).toEqual(everyKind.map(() => 'ok'));
    expect(states(everyKind, corrected)).toEqual(everyKind.map(() => 'ok'));
    expect(bytes, 'the image handed in').toEqual(before);
    expect(corrected.subarray(0, 0x200)).toEqual(before.subarray(0, 0x200));
    for (const { at, length } of uncovered) {
      expect(corrected.subarray(at, at + length)).toEqual(before.subarray(at, at + length));
    }
  });

  test('does not write to the image when it is a Buffer, as files read from disk are', () => {
    const bytes = Buffer.from(image());
    const { image: corrected } = correctChecksums(everyKind, bytes);
    expect(states(everyKind, corrected)).toEqual(everyKind.map(() => 'ok'));
    expect(new Uint8Array(bytes)).toEqual(image());
  });

  test('corrects any image, and a second run changes nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: size, maxLength: size }), (bytes) => {
        const { image: corrected } = correctChecksums(everyKind, bytes);
        expect(new Set(states(everyKind, corrected))).toEqual(new Set(['ok']));
        expect(correctChecksums(everyKind, corrected).image).toBe(corrected);
      }),
      { numRuns: 50 },
    );
  });

  test('is invalidated by a change to any covered or stored byte', () => {
    const { image: corrected } = correctChecksums(everyKind, image());
    const isUncovered = (at: number): boolean =>
      uncovered.some((range) => at >= range.at && at < range.at + range.length);
    for (let at = 0; at < size; at += 1) {
      const tampered = corrected.slice();
      tampered[at] = (tampered[at] ?? 0) ^ (1 << (at % 8));
      expect(states(everyKind, tampered).includes('mismatch'), `byte ${at}`).toBe(!isUncovered(at));
    }
  });

  test('works in a view that starts at an odd offset of a larger buffer', () => {
    const buffer = new Uint8Array(size + 9);
    const view = buffer.subarray(3, 3 + size);
    view.set(image());
    const { image: corrected } = correctChecksums(everyKind, view);
    expect(corrected).toEqual(correctChecksums(everyKind, image()).image);
  });

  // promise c.checksums.order
  test('corrects results that other rules cover first, regardless of the order of the rules', () => {
    const outer: ChecksumRule = {
      name: 'OUTER',
      ranges: [{ at: 0, length: 0x310 }],
      algorithm: catalog.crc32IsoHdlc,
      result: { kind: 'store', at: 0x310, type: 'u32le' },
    };
    const outermost: ChecksumRule = {
      name: 'OUTERMOST',
      ranges: [{ at: 0x300, length: 0x20 }],
      algorithm: { kind: 'copy' },
      result: { kind: 'store-bytes', at: 0x340 },
    };
    const { image: corrected } = correctChecksums(
      scheme(outermost, outer, crcRule, sumRule),
      image(),
    );
    const { image: again } = correctChecksums(scheme(sumRule, crcRule, outer, outermost), image());
    expect(corrected).toEqual(again);
    expect(corrected.subarray(0x340, 0x360)).toEqual(corrected.subarray(0x300, 0x320));
  });

  test('allows a checksum and its complement inside a sum in which they cancel each other out', () => {
    const inside: ChecksumRule = {
      name: 'INSIDE',
      ranges: [{ at: 0, length: size }],
      algorithm: { kind: 'sum', unit: 4, order: 'le', width: 32 },
      result: { kind: 'store', at: 0x200, type: 'u32le', complementAt: 0x204 },
    };
    const { image: corrected } = correctChecksums(scheme(inside), image());
    expect(states(scheme(inside), corrected)).toEqual(['ok']);
  });

  // promise c.checksums.no-half
  test('gives up on rules that depend on each other, names them, and returns no image', () => {
    const chasing: ChecksumRule = {
      ...sumRule,
      result: { kind: 'store', at: 0x10, type: 'u32le' },
    };
    const bytes = image();
    expect(refusal(() => correctChecksums(scheme(chasing, crcRule), bytes))).toEqual({
      code: 'CHECKSUM_UNCORRECTABLE',
      detail: 'SUM',
    });
    expect(bytes).toEqual(image());
  });

  test('does not refuse an image for an optional rule', () => {
    const chasing: ChecksumRule = {
      ...sumRule,
      result: { kind: 'store', at: 0x10, type: 'u32le' },
      required: false,
    };
    const { image: corrected, reports } = correctChecksums(scheme(chasing, crcRule), image());
    expect(reports.map(({ state }) => state)).toEqual(['mismatch', 'ok']);
    expect(states(scheme(crcRule), corrected)).toEqual(['ok']);
  });

  test('refuses a sum that the free bytes cannot reach', () => {
    const far: ChecksumRule = {
      name: 'FAR',
      ranges: [{ at: 0, length: 8 }],
      algorithm: { kind: 'sum', unit: 1, order: 'le', width: 32 },
      result: { kind: 'target', value: '10000', free: { at: 0, length: 4 } },
    };
    const { code, detail } = refusal(() => correctChecksums(scheme(far), image()));
    expect([code, detail]).toEqual(['CHECKSUM_UNCORRECTABLE', 'FAR']);
  });

  test('refuses free bytes that are not aligned to whole units', () => {
    const target = (at: number, unit: 2 | 4): ChecksumRule => ({
      name: 'TARGET',
      ranges: [{ at: 1, length: 0x40 }],
      algorithm: { kind: 'xor', unit, order: 'le' },
      result: { kind: 'target', value: '0', free: { at, length: 2 } },
    });
    expect(
      states(scheme(target(5, 2)), correctChecksums(scheme(target(5, 2)), image()).image),
    ).toEqual(['ok']);
    for (const rule of [target(6, 2), target(5, 4)]) {
      const { code } = refusal(() => correctChecksums(scheme(rule), image()));
      expect(code).toBe('CHECKSUM_UNCORRECTABLE');
    }
  });

  test('refuses ranges that do not consist of whole units, and results outside of the image', () => {
    const odd: ChecksumRule = { ...sumRule, ranges: [{ at: 0, length: 0xff }] };
    const outside: ChecksumRule = {
      ...crcRule,
      result: { kind: 'store', at: size - 3, type: 'u32le' },
    };
    expect(states(scheme(odd, outside), image())).toEqual(['invalid', 'invalid']);
    expect(refusal(() => correctChecksums(scheme(odd, outside), image()))).toEqual({
      code: 'CHECKSUM_UNCORRECTABLE',
      detail: 'SUM, CRC',
    });
  });

  test('refuses free bytes that are only partly inside a range, or inside two', () => {
    const target = (ranges: readonly Range[]): ChecksumRule => ({
      name: 'TARGET',
      ranges,
      algorithm: catalog.crc32c,
      result: { kind: 'target', value: '0', free: { at: 0x10, length: 4 } },
    });
    for (const ranges of [
      [{ at: 0x12, length: 0x20 }],
      [{ at: 0x20, length: 0x20 }],
      [
        { at: 0, length: 0x40 },
        { at: 0x13, length: 0x10 },
      ],
    ]) {
      const { code } = refusal(() => correctChecksums(scheme(target(ranges)), image()));
      expect(code).toBe('CHECKSUM_UNCORRECTABLE');
    }
  });
});

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

test('a scheme of more than 256 rules throws an internal error', () => {
  const many = scheme(...Array.from({ length: 257 }, () => sumRule));
  expect(() => verifyChecksums(many, image())).toThrow(RangeError);
});
