/** The checksums of ME7 images: verified, corrected, and left alone where their place is not certain. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fieldsOf,
  findMultipoint2,
  generateChecked,
  makeRight,
  type Me7Options,
} from '../../samples/me7-checksums.ts';
import {
  correctKnown,
  correctWithReport,
  isCorrectable,
  verifyKnown,
} from '../../src/known-checksums/known-checksums.ts';
import { report, refusal, changed } from './me7-images.ts';

const kinds = {
  'without a CRC': { seed: 1, crc: 'none' },
  'with a CRC for each range': { seed: 2, crc: 'plain' },
  'with a CRC that runs on': { seed: 3, crc: 'seeded' },
  'with a CRC over ranges that no code names': { seed: 4, crc: 'implied' },
  'without a byte sum and a first multipoint table': {
    seed: 5,
    hasByteSum: false,
    hasMultipoint1: false,
  },
  'of 1 MiB': { seed: 6, size: 0x100000 },
  'of 1 MiB with a CRC that runs on': { seed: 7, size: 0x100000, crc: 'seeded' },
} as const satisfies Readonly<Record<string, Me7Options>>;

const images = new Map<Me7Options, Uint8Array>();

/** A copy of the image of these options. */
function imageOf(options: Me7Options): Uint8Array {
  const known = images.get(options) ?? generateChecked(options);
  images.set(options, known);
  return new Uint8Array(known);
}

const stateOf = (image: Uint8Array, name: string) =>
  report(image).parts.find((part) => part.name === name)?.state ?? null;

const areRight = (image: Uint8Array): boolean =>
  report(image).parts.every(({ state }) => state === 'right');

/** Bytes of the calibration and of the program that are neither texts, tables nor checksums. */
const changes = fc.array(
  fc.record({
    at: fc.oneof(
      fc.integer({ min: 0x10200, max: 0x13fff }),
      fc.integer({ min: 0x18500, max: 0x1f000 }),
      fc.integer({ min: 0x30000, max: 0x7ff00 }),
    ),
    bit: fc.integer({ min: 1, max: 255 }),
  }),
  { minLength: 1, maxLength: 200 },
);

function sameBut(
  one: Uint8Array,
  other: Uint8Array,
  fields: readonly (readonly [number, number])[],
) {
  const [a, b] = [new Uint8Array(one), new Uint8Array(other)];
  for (const [at, length] of fields) {
    a.fill(0, at, at + length);
    b.fill(0, at, at + length);
  }
  return Buffer.compare(a, b) === 0;
}

describe.each(Object.entries(kinds))('an ME7 image %s', (_, options) => {
  // promise 5.known-checksums.verify
  test('has right checksums', () => {
    const found = report(imageOf(options));
    expect(found).toMatchObject({ scheme: 'Bosch ME7', signature: null, isProved: true });
    expect(found.parts.filter(({ state }) => state !== 'right')).toEqual([]);
    expect(found.parts.map(({ name }) => name)).toContain('Multipoint 2');
    expect(correctKnown(imageOf(options), imageOf(options))).toEqual(imageOf(options));
  });

  // promise 5.known-checksums.correct
  test('is right after a change and a correction, which writes nothing but checksums', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const modified = changed(imageOf(options), list);
        const before = new Uint8Array(modified);
        const corrected = correctKnown(modified, imageOf(options));
        const expected = new Uint8Array(modified);
        makeRight(expected, options);
        expect(modified).toEqual(before);
        expect(areRight(corrected)).toBe(true);
        expect(Buffer.compare(corrected, expected)).toBe(0);
        expect(correctKnown(corrected, imageOf(options))).toBe(corrected);
        expect(sameBut(corrected, modified, fieldsOf(modified))).toBe(true);
      }),
      { numRuns: 8 },
    );
  });
});

test('names the parts of an ME7 image that a change makes wrong', () => {
  const image = imageOf(kinds['with a CRC for each range']);
  changed(image, [{ at: 0x19000, bit: 1 }]);
  const wrong = report(image).parts.filter(({ state }) => state === 'wrong');
  expect(wrong).toEqual([
    { name: 'Byte sum', state: 'wrong', rules: 1, wrong: 1 },
    { name: 'CRC', state: 'wrong', rules: 3, wrong: 1 },
    { name: 'Multipoint 2', state: 'wrong', rules: 29, wrong: 1 },
  ]);
});

describe('an ME7 image of 512 KiB in a file of 1 MiB', () => {
  const options = kinds['with a CRC for each range'];
  const copies = {
    'twice, and both copies stay equal': (half: Uint8Array) => Buffer.concat([half, half]),
    'before an erased half, which stays erased': (half: Uint8Array) =>
      Buffer.concat([half, Buffer.alloc(half.length, 0xff)]),
  };
  test.each(Object.entries(copies))('is verified and corrected %s', (_, double) => {
    expect(areRight(new Uint8Array(double(imageOf(options))))).toBe(true);
    const modified = changed(imageOf(options), [{ at: 0x11000, bit: 7 }]);
    const expected = new Uint8Array(modified);
    makeRight(expected, options);
    const read = new Uint8Array(double(imageOf(options)));
    const corrected = correctKnown(new Uint8Array(double(modified)), read);
    expect(Buffer.compare(corrected, double(expected))).toBe(0);
  });
});

describe('a signed ME7 image', () => {
  const options: Me7Options = { seed: 8, isSigned: true };

  // promise 5.known-checksums.signed
  test('has a valid signature, and is never corrected', () => {
    const image = imageOf(options);
    expect(report(image).signature).toBe('valid');
    expect(isCorrectable(report(image))).toBe(false);
    changed(image, [{ at: 0x11000, bit: 1 }]);
    expect(report(image).signature).toBe('wrong');
    expect(refusal(() => correctKnown(image, imageOf(options)))).toBe('CHECKSUM_UNCORRECTABLE');
  });

  test('has no valid signature if anything of the padding differs', () => {
    for (const at of [0x18001, 0x18002, 0x18040, 0x1806f]) {
      const image = imageOf(options);
      changed(image, [{ at, bit: 2 }]);
      expect(report(image).signature).toBe('wrong');
    }
  });

  test.each([
    ['a table that points outside of the image', 0x18110, [0xff, 0xff, 0xff, 0x00]],
    ['a key of zeros', 0x18080, Array.from({ length: 128 }, () => 0)],
  ])('is not checked with %s', (_, at, bytes) => {
    const image = imageOf(options);
    image.set(bytes, at);
    expect(report(image).signature).toBe('not-checked');
  });
});

describe('a part whose place is not certain', () => {
  const options = kinds['with a CRC for each range'];

  // promise 5.known-checksums.verify
  test('is not reported if its pattern is missing, and the other parts are', () => {
    const image = imageOf(options);
    image.fill(0xff, findMultipoint2(image), findMultipoint2(image) + 16);
    expect(stateOf(image, 'Multipoint 2')).toBeNull();
    expect(stateOf(image, 'CRC')).toBe('right');
  });

  test('is not checked if its pattern is there twice, and is not corrected', () => {
    const image = imageOf(options);
    image.copyWithin(0x60000, 0x24000, 0x24010);
    expect(stateOf(image, 'Main')).toBe('not-checked');
    expect(refusal(() => correctKnown(image, imageOf(options)))).toBe('CHECKSUM_UNCORRECTABLE');
  });

  test('is not checked if the program names more ranges than it ends', () => {
    const image = imageOf(options);
    const end = Buffer.from(image).indexOf('109be6f4', 0x2c000, 'hex');
    image[end] = 0;
    expect(stateOf(image, 'CRC')).toBe('not-checked');
    expect(stateOf(image, 'Byte sum')).toBe('not-checked');
  });

  test('is not reported without the description of the ROM system', () => {
    const image = imageOf(options);
    image.fill(0xff, 0x8030, 0x8038);
    expect(stateOf(image, 'Startup')).toBeNull();
  });
});

describe('a part that was not right in the read', () => {
  const options = kinds['with a CRC for each range'];
  /** The read whose table has neither an end mark nor all entries: other bytes are behind it. */
  const withoutEnd = (): Uint8Array => {
    const read = imageOf(options);
    const end = findMultipoint2(read) + 16 * entriesOf(read);
    // an address range of the image, and no number with its complement
    read.set(
      [0, 0, 0x81, 0, 0xff, 0, 0x81, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88],
      end,
    );
    return read;
  };
  const entriesOf = (image: Uint8Array): number => {
    const view = new DataView(image.buffer);
    let count = 0;
    while (view.getUint32(findMultipoint2(image) + 16 * count, true) !== 0xffffffff) count += 1;
    return count;
  };
  const tuned = (read: Uint8Array): Uint8Array =>
    changed(new Uint8Array(read), [{ at: 0x19000, bit: 1 }]);

  // promise 5.known-checksums.correct
  test('is never written: bytes behind a table without an end mark are no checksums', () => {
    const read = withoutEnd();
    expect(stateOf(read, 'Multipoint 2')).toBe('not-checked');
    expect(refusal(() => correctKnown(tuned(read), read))).toBe('CHECKSUM_UNCORRECTABLE');
  });

  test('is never written: a change that looks like an entry makes none', () => {
    const read = withoutEnd();
    const modified = tuned(read);
    const end = findMultipoint2(read) + 16 * entriesOf(imageOf(options));
    modified.set([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], end + 8);
    const found = verifyKnown(modified, read)?.parts.find(({ name }) => name === 'Multipoint 2');
    expect(found?.state).toBe('not-checked');
    expect(refusal(() => correctKnown(modified, read))).toBe('CHECKSUM_UNCORRECTABLE');
  });

  test('stays as it was, and the others are corrected', () => {
    const read = imageOf(options);
    changed(read, [{ at: 0x17f80, bit: 1 }]);
    const modified = tuned(read);
    const { corrected, parts } = correctWithReport(modified, read) ?? {};
    expect(parts).toEqual(['CRC', 'Multipoint 2']);
    expect(corrected?.subarray(0x17f80, 0x17f88)).toEqual(modified.subarray(0x17f80, 0x17f88));
    expect(stateOf(corrected ?? modified, 'Byte sum')).toBe('wrong');
  });

  test('is refused if nothing else can be corrected, or if no read is known', () => {
    const read = imageOf(options);
    changed(read, [{ at: 0x17f80, bit: 1 }]);
    expect(refusal(() => correctKnown(new Uint8Array(read), read))).toBe('CHECKSUM_UNCORRECTABLE');
    expect(refusal(() => correctKnown(tuned(imageOf(options)), null))).toBe(
      'CHECKSUM_UNCORRECTABLE',
    );
  });

  test('is refused if ranges that no code names were wrong in the read', () => {
    const plain = kinds['with a CRC over ranges that no code names'];
    const read = imageOf(plain);
    changed(read, [{ at: 0x17f88, bit: 1 }]);
    expect(stateOf(read, 'CRC')).toBe('wrong');
    // the change concerns another value of the same part
    expect(refusal(() => correctKnown(tuned(read), read))).toBe('CHECKSUM_UNCORRECTABLE');
  });
});

describe('a hostile image', () => {
  const options = kinds['with a CRC for each range'];
  const allowed = ['right', 'not-checked', 'off', null];

  test('with entries that point outside skips them', () => {
    const image = imageOf(options);
    const view = new DataView(image.buffer);
    const table = findMultipoint2(image);
    const entry = table + 16 * 20;
    view.setUint32(entry, 0x80ffff00, true);
    expect(stateOf(image, 'Multipoint 2')).toBe('right');
    view.setUint32(entry, 0x00900000, true);
    view.setUint32(entry + 4, 0xfffffffe, true);
    expect(allowed).toContain(stateOf(image, 'Multipoint 2'));
  });

  test('with ranges that cover each other again and again stops', () => {
    const image = imageOf(options);
    const view = new DataView(image.buffer);
    const table = findMultipoint2(image);
    for (let index = 2; index < 66; index += 1) {
      view.setUint32(table + 16 * index, 0x800000, true);
      view.setUint32(table + 16 * index + 4, 0x87ffff, true);
    }
    expect(refusal(() => correctKnown(image, imageOf(options)))).toBe('CHECKSUM_UNCORRECTABLE');
  });

  test('that consists of one instruction claims nothing', () => {
    for (const text of [
      'e6f40000e6f58000da00',
      '00000000ff3f0000',
      '00408200',
      'e6f80000e6f98000f2f4',
    ]) {
      expect(verifyKnown(new Uint8Array(Buffer.alloc(0x100000, text, 'hex')))).toBeNull();
    }
  });

  test('of any bytes in its tables never throws anything but a codec error', () => {
    const tables = [0x8010, 0x8030, 0x24000, 0x2a000, 0x2c000, 0x2c040, 0x2c200];
    const writes = fc.array(
      fc.record({
        at: fc.oneof(fc.constantFrom(...tables), fc.integer({ min: 0x1fb00, max: 0x1ffff })),
        bytes: fc.uint8Array({ minLength: 1, maxLength: 32 }),
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(writes, (list) => {
        const image = imageOf(options);
        for (const { at, bytes } of list) image.set(bytes, Math.min(at, image.length - 32));
        const code = refusal(() => {
          if (verifyKnown(image) !== null)
            expect(areRight(correctKnown(image, imageOf(options)))).toBe(true);
        });
        expect([null, 'CHECKSUM_UNCORRECTABLE']).toContain(code);
      }),
      { numRuns: 40 },
    );
  });
});
