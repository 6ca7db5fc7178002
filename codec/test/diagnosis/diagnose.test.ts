/** What a diagnosis reports and offers in cases that the confusion table does not have. */
import { hash } from 'node:crypto';
import { deflateRawSync, crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { generateMe7Image } from '../../samples/me7-images.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import type { Ask, Finding } from '../../src/diagnosis/finding.ts';
import { generateImage, tuneImage } from '../../src/sample-images/images.ts';
import { findProtocol } from '../../src/protocols/protocols.ts';

const { image } = generateMe7Image({ seed: 1, program: 1 });
const bench = findProtocol(3001);
if (bench === null) throw new Error('there is no protocol 3001');
const flash = generateImage(bench, 'flash', 1);
const eeprom = generateImage(bench, 'eeprom', 1);
const tunedEeprom = tuneImage(bench, 'eeprom', eeprom, 1);
const bytes = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const hashOf = (one: Uint8Array) => hash('sha256', one);
const filled = (length: number, value: number) => new Uint8Array(length).fill(value);

function diagnoseAs(upload: Uint8Array, others: Partial<Ask>): Finding | null {
  const expected = others.image ?? image;
  return diagnose({
    upload,
    image: expected,
    others: [],
    accepts: ({ length }) => length === expected.length,
    identify: () => null,
    ...others,
  });
}

/** The finding with a hash in place of the repair's bytes, which a failed expectation would print. */
function ask(upload: Uint8Array, others: Partial<Ask> = {}) {
  const found = diagnoseAs(upload, others);
  if (!found?.repair) return found;
  return { ...found, repair: { ...found.repair, bytes: hashOf(found.repair.bytes) } };
}

/** A ZIP with one file. */
function zip(content: Uint8Array, flags = 0, method = 8): Buffer {
  const packed = method === 8 ? deflateRawSync(content) : content;
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(flags, 2);
  shared.writeUInt16LE(method, 4);
  shared.writeUInt32LE(crc32(content), 10);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(content.length, 18);
  shared.writeUInt16LE(1, 22);
  const file = Buffer.concat([Buffer.from('PK\u0003\u0004'), shared, Buffer.from('a'), packed]);
  const entry = Buffer.concat([
    Buffer.from('PK\u0001\u0002\u0014\0'),
    shared,
    Buffer.alloc(14),
    Buffer.from('a'),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(file.length, 16);
  return Buffer.concat([file, entry, end]);
}

describe('an archive', () => {
  test.each([8, 0])('with the image as its only file (method %i) is unpacked', (method) => {
    expect(ask(zip(image, 0, method))).toMatchObject({
      kind: 'archive',
      details: { format: 'zip' },
      repair: { isLossless: true, bytes: hashOf(image) },
    });
  });

  test('with a password is named', () => {
    expect(ask(zip(image, 1))).toMatchObject({ kind: 'archive-with-password', repair: null });
  });

  test('with damaged or other content is not unpacked', () => {
    const damaged = Buffer.from(zip(image, 0, 0));
    damaged[5000] = (damaged[5000] ?? 0) ^ 1;
    expect(ask(damaged)).toMatchObject({ kind: 'archive', repair: null });
    expect(ask(zip(image.subarray(1)))).toMatchObject({ kind: 'archive', repair: null });
  });

  test('that unpacks to much more than the image is not unpacked', () => {
    const bomb = zip(filled(64 * 1024 * 1024, 0));
    bomb.writeUInt32LE(image.length, bomb.indexOf('PK\u0001\u0002') + 24);
    expect(ask(bomb)).toMatchObject({ kind: 'archive', repair: null });
  });
});

describe('copies of the image', () => {
  const tuned = Uint8Array.from(image);
  tuned[0x12000] = (tuned[0x12000] ?? 0) ^ 0xff;
  const other = Uint8Array.from(image);
  other[0x13000] = (other[0x13000] ?? 0) ^ 0xff;

  test('of which one was changed give that one', () => {
    expect(ask(bytes(image, tuned))).toMatchObject({
      kind: 'repeated',
      details: { copies: { count: 2, changed: [1] } },
      repair: { isLossless: true, bytes: hashOf(tuned) },
    });
  });

  test('that were changed in different ways are not chosen from', () => {
    expect(ask(bytes(other, tuned))).toMatchObject({
      kind: 'repeated',
      details: { copies: { count: 2, changed: [0, 1] } },
      repair: null,
    });
  });
});

test('a read whose halves are equal is compared as a whole', () => {
  const twice = bytes(image, image);
  expect(ask(twice, { image: twice })).toBeNull();
  expect(ask(bytes(filled(512, 0xff), twice), { image: twice })).toMatchObject({
    kind: 'inside',
    repair: { isLossless: true, bytes: hashOf(twice) },
  });
  expect(ask(image, { image: twice })).toMatchObject({
    kind: 'partial',
    repair: { isLossless: false },
  });
});

test('a byte that was inserted near the start is no byte in front of the image', () => {
  const at = Math.floor(image.length / 20);
  const inserted = bytes(image.subarray(0, at), filled(1, 7), image.subarray(at));
  expect(ask(inserted)).toMatchObject({ kind: 'pieces', details: { lost: -1 }, repair: null });
});

test('the first bytes of what is not in the image are shown', () => {
  const header = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  expect(ask(bytes(header, image))).toMatchObject({
    kind: 'inside',
    details: { outside: [{ offset: 0, length: 8, fill: null, start: '0102030405060708' }] },
    repair: null,
  });
});

describe('another component', () => {
  const others = [{ name: 'eeprom', image: eeprom }] as const;

  test('is named, and offered for its place', () => {
    expect(ask(tunedEeprom, { image: flash, others })).toMatchObject({
      kind: 'other-component',
      details: { component: 'eeprom' },
      repair: { component: 'eeprom', isLossless: true, bytes: hashOf(tunedEeprom) },
    });
  });

  test('is recognized if it is twice in the file', () => {
    expect(ask(bytes(tunedEeprom, tunedEeprom), { image: flash, others })).toMatchObject({
      kind: 'other-component',
      details: { component: 'eeprom', content: 'repeated' },
      repair: { component: 'eeprom', bytes: hashOf(tunedEeprom) },
    });
  });

  test('is recognized if the read does not contain the image', () => {
    expect(ask(eeprom, { image: null, others })).toMatchObject({ kind: 'other-component' });
  });
});

describe('a small component', () => {
  const open = findProtocol(9000);
  if (open === null) throw new Error('there is no protocol 9000');
  const small = generateImage(open, 'eeprom', 1, 4096);
  const tuned = tuneImage(open, 'eeprom', small, 1);
  const ofEeprom = (upload: Uint8Array) => ask(upload, { image: small });

  test('that was tuned has no finding', () => {
    expect(ofEeprom(tuned)).toBeNull();
  });

  test.each<[string, Uint8Array, string]>([
    ['twice', bytes(tuned, tuned), 'repeated'],
    ['with FF behind', bytes(tuned, filled(tuned.length * 3, 0xff)), 'inside'],
    ['with 00 in front', bytes(filled(256, 0), tuned), 'inside'],
  ])('%s is repaired', (_, upload, kind) => {
    expect(ofEeprom(upload)).toMatchObject({
      kind,
      repair: { isLossless: true, bytes: hashOf(tuned) },
    });
  });

  test('of another size about which nothing is certain has no finding', () => {
    expect(ofEeprom(generateImage(open, 'eeprom', 7, 4096).slice(0, 700))).toBeNull();
  });
});

describe('an image with another identification', () => {
  const accepts = ({ length }: Uint8Array) => length === image.length;
  const identify = (one: Uint8Array) => ({ software: one[0x143d4] === image[0x143d4] ? 'A' : 'B' });
  const sister = Uint8Array.from(image);
  sister[0x143d4] = (sister[0x143d4] ?? 0) ^ 1;
  const isOurs = (one: Uint8Array) => accepts(one) && identify(one).software === 'A';

  test.each<[string, Uint8Array]>([
    ['as it is', sister],
    ['twice', bytes(sister, sister)],
    ['behind 512 bytes', bytes(filled(512, 0xff), sister)],
  ])('is other software, %s', (_, upload) => {
    expect(ask(upload, { accepts: isOurs, identify })).toMatchObject({
      kind: 'other-software',
      details: { identification: { file: { software: 'B' }, read: { software: 'A' } } },
      repair: null,
    });
  });

  test('is an image with an erased part if that was erased', () => {
    const erased = Uint8Array.from(image).fill(0xff, 0x14000, 0x20000);
    expect(ask(erased, { accepts: isOurs, identify })).toMatchObject({
      kind: 'erased-part',
      details: { missing: [expect.objectContaining({ offset: expect.any(Number) })] },
    });
  });
});

test('an image in which more was changed than a tune changes has no finding', () => {
  const changed = image.map((byte, at) => (at % 4 === 0 ? byte ^ 0x55 : byte));
  expect(ask(changed)).toBeNull();
});

test('a sealed file and an empty file are named', () => {
  const sealed = Buffer.from([0x89, 0x54, 0x46, 0x43, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0]);
  expect(ask(sealed)).toMatchObject({ kind: 'sealed' });
  expect(ask(new Uint8Array())).toMatchObject({ kind: 'empty', details: { size: 0 } });
});
