/** What images are recognized as: every family, and files that must not be recognized. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ecuImageFamilies, generateEcuImage } from '../../samples/ecu-images.ts';
import { protocols } from '../../src/protocols/protocols.ts';
import { compareRecognitions, recognizeImage } from '../../src/recognition/recognize.ts';
import { ecuFamilies } from '../../src/recognition/registry.ts';
import { generateImage } from '../../src/sample-images/images.ts';

const seeds = fc.integer({ min: 0, max: 1_000_000 });
/** Other images in each run. */
const runs = { numRuns: 3 };

function valuesOf(image: Uint8Array) {
  const found = recognizeImage(image);
  const values = Object.fromEntries((found?.fields ?? []).map(({ name, value }) => [name, value]));
  return { family: found?.family ?? null, certainty: found?.certainty ?? null, values };
}

const write = (image: Uint8Array, at: number, text: string) =>
  image.set(new TextEncoder().encode(text), at);

test('has a generator for every family', () => {
  expect(ecuImageFamilies.toSorted()).toEqual(ecuFamilies.map(({ id }) => id).toSorted());
});

describe.each(ecuImageFamilies)('%s', (family) => {
  test('is recognized with its numbers', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { image, expected, certainty } = generateEcuImage(family, seed);
        expect(valuesOf(image)).toEqual({ family, certainty, values: expected });
      }),
      runs,
    );
  });

  test('shows the place and the text of each field', () => {
    const { image } = generateEcuImage(family, 1);
    const fields = recognizeImage(image)?.fields ?? [];
    expect(fields.length).toBeGreaterThan(0);
    for (const { offset, text } of fields) {
      expect(Buffer.from(image).toString('latin1', offset, offset + text.length)).toBe(text);
    }
  });

  test('does not depend on the object that the bytes are in', () => {
    const { image } = generateEcuImage(family, 2);
    const shared = new Uint8Array(image.length + 3);
    shared.set(image, 3);
    expect(recognizeImage(shared.subarray(3))).toEqual(recognizeImage(image));
  });

  test('is not recognized in a file that was cut or shifted', () => {
    const { image, expected } = generateEcuImage(family, 3);
    // open firmware has no fixed place or size
    if (family === 'rusefi' || family === 'speeduino') {
      expect(valuesOf(image.slice(16)).values).toEqual(expected);
      return;
    }
    expect(recognizeImage(image.slice(16))).toBeNull();
    expect(recognizeImage(image.slice(0, 1000))).toBeNull();
  });

  test('never invents a value when bytes change', () => {
    const { image, expected } = generateEcuImage(family, 4);
    fc.assert(
      fc.property(fc.array(fc.nat(image.length - 1), { maxLength: 50 }), (places) => {
        const changed = image.slice();
        for (const place of places) changed[place] = 0xff;
        const found = recognizeImage(changed);
        for (const { name, value } of found?.fields ?? []) expect(value).toBe(expected[name]);
      }),
      runs,
    );
  });
});

/** Not searched with exchanged bytes: no number of theirs is characteristic enough, and the files of open firmware are never exchanged. */
const neverSwapped = ['siemens-simos', 'delphi-multec', 'denso-subaru', 'rusefi', 'speeduino'];

test.each(ecuImageFamilies.filter((family) => !neverSwapped.includes(family)))(
  'recognizes an image of %s whose bytes are exchanged in pairs, and reports it',
  (family) => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { image, expected, certainty } = generateEcuImage(family, seed);
        const swapped = new Uint8Array(Buffer.from(image).swap16());
        expect(recognizeImage(swapped)?.isSwapped).toBe(true);
        expect(valuesOf(swapped)).toEqual({ family, certainty, values: expected });
      }),
      { numRuns: 2 },
    );
  },
);

test('recognizes exchanged bytes by a hardware number with a letter, which no field contains', () => {
  const { image, expected } = generateEcuImage('bosch-tricore', 5);
  for (const at of [0xfd00, 0xfe33]) write(image, at, '0261S12345');
  const { software, program } = expected;
  const found = { family: 'bosch-tricore', certainty: 'probable', values: { software, program } };
  expect(valuesOf(image)).toEqual(found);
  const swapped = new Uint8Array(Buffer.from(image).swap16());
  expect(recognizeImage(swapped)?.isSwapped).toBe(true);
  expect(valuesOf(swapped)).toEqual(found);
});

test.each([
  ['a whole number', '2016021734', 1],
  ['a whole number with a letter', '20161S3254', 1],
  // a year, or a part of a longer number
  ['the first digits of one', '20161992 2018061', 0],
])('exchanges the bytes of an unknown file with %s %s: %i times', (_, text, times) => {
  const file = Buffer.alloc(4096, 0xff);
  file.write(text, 1024);
  using exchange = vi.spyOn(Buffer.prototype, 'swap16');
  expect(recognizeImage(new Uint8Array(file))).toBeNull();
  expect(exchange).toHaveBeenCalledTimes(times);
});

test('drops a number that has two values', () => {
  const { image } = generateEcuImage('bosch-edc16', 6);
  write(image, 0xf0000, '0281999999');
  const { values, certainty } = valuesOf(image);
  expect(values).not.toHaveProperty('hardware');
  expect(certainty).toBe('probable');
});

test('accepts a number that occurs twice with the same value', () => {
  const { image, expected } = generateEcuImage('bosch-edc16', 6);
  write(image, 0xf0000, expected.hardware ?? '');
  expect(valuesOf(image).values).toEqual(expected);
});

test('does not identify an image that two families claim', () => {
  const { image } = generateEcuImage('siemens-ms43', 7);
  const { image: rusefi } = generateEcuImage('rusefi', 7);
  image.set(rusefi.subarray(0x20000, 0x20080), 0x20000);
  expect(recognizeImage(image)).toBeNull();
});

test('does not identify an image of ME7 whose numbers were never filled in', () => {
  const { image, expected } = generateEcuImage('bosch-me7', 8);
  const at = Buffer.from(image).indexOf(expected.hardware ?? '');
  write(image, at, '?'.repeat(20));
  const found = recognizeImage(image);
  expect(found?.fields.map(({ name }) => name) ?? []).not.toContain('hardware');
  expect(found?.certainty ?? 'probable').toBe('probable');
});

test('reports an image of Subaru as only probable when a sum in it is wrong', () => {
  const { image } = generateEcuImage('denso-subaru', 9);
  image[0x4100] = (image[0x4100] ?? 0) ^ 1;
  expect(valuesOf(image).certainty).toBe('probable');
});

test('recognizes none of the reference images', () => {
  for (const protocol of protocols) {
    for (const { name } of protocol.components) {
      for (const seed of [1, 2]) {
        const image = generateImage(protocol, name, seed);
        expect({ protocol: protocol.id, name, found: recognizeImage(image) }).toEqual({
          protocol: protocol.id,
          name,
          found: null,
        });
      }
    }
  }
});

describe('hostile files', () => {
  const size = 4 * 1024 * 1024;
  const repeat = (text: string) => new Uint8Array(Buffer.alloc(size, text));
  const files: Readonly<Record<string, Uint8Array>> = {
    'text only': repeat('0261207440 1037360855 5WK90027 '),
    'hardware numbers only': repeat('0261207440\0'),
    'beginnings of variant texts': repeat('40/1/ME7.5/5/4016.20//20e/\0'),
    'one byte': new Uint8Array(size).fill(0x30),
    'blocks that point outside': repeat('\x60\0\0\0\xff\xff\xff\xff\0\0\0\0\xfc\xff\xff\xff'),
    nothing: new Uint8Array(0),
    'one byte of a file': new Uint8Array(1),
  };
  test.each(Object.keys(files))('%s is not identified', (name) => {
    expect(recognizeImage(files[name] ?? new Uint8Array(0))).toBeNull();
  });

  test('tables and blocks whose addresses are outside the image are ignored', () => {
    const { image } = generateEcuImage('denso-subaru', 10);
    new DataView(image.buffer).setUint32(0x7fb84, 0xffffffff);
    expect(recognizeImage(image)).toBeNull();
    const { image: tricore } = generateEcuImage('bosch-tricore', 10);
    new DataView(tricore.buffer).setUint32(0x40004, 0xfffffff0, true);
    expect(valuesOf(tricore).values).not.toHaveProperty('program');
  });
});

describe('comparing two images', () => {
  const recognized = (family: string, seed: number) => {
    const found = recognizeImage(generateEcuImage(family, seed).image);
    if (found === null) throw new Error('not recognized');
    return found;
  };
  test('lists the numbers that differ', () => {
    const [one, other] = [recognized('siemens-ms43', 1), recognized('siemens-ms43', 2)];
    const names = compareRecognitions(one, other).map(({ name }) => name);
    expect(names).toEqual(['hardware', 'software']);
    expect(compareRecognitions(one, one)).toEqual([]);
  });
  test('lists a number that the second one has not', () => {
    const one = recognized('siemens-ms43', 1);
    const fields = one.fields.filter(({ name }) => name !== 'hardware');
    const before = one.fields.find(({ name }) => name === 'hardware')?.value;
    const gone = [{ name: 'hardware', before, after: null }];
    expect(compareRecognitions(one, { ...one, fields })).toEqual(gone);
    // the read decides what is compared
    expect(compareRecognitions({ ...one, fields }, one)).toEqual([]);
  });
  test('reports another family alone', () => {
    const [one, other] = [recognized('siemens-ms43', 1), recognized('bosch-me7', 1)];
    const changes = compareRecognitions(one, other);
    expect(changes).toEqual([{ name: 'family', before: one.name, after: other.name }]);
  });
});

const folder = new URL('../../../../shared/firmware/', import.meta.url);

test.skipIf(!existsSync(folder))('recognizes published firmware, and does not guess', () => {
  const read = (name: string) => valuesOf(readFileSync(new URL(name, folder)));
  expect(read('rusefi-ffgg-proteus.bin')).toMatchObject({
    family: 'rusefi',
    certainty: 'certain',
    values: { hardware: 'proteus_f4' },
  });
  expect(read('speeduino-6cyl-202501.2.flat.bin')).toMatchObject({
    family: 'speeduino',
    values: { software: '202501', version: '2025.01.2' },
  });
  expect(read('rusefi-rus084-2014.bin').family).toBeNull();
});
