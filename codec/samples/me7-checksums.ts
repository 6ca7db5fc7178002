/**
 * Gives a generated ME7 image all checksums of the real control units, with code that names their places. It computes
 * them with code of its own, so that the product can be tested against it.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { generateMe7Image } from './me7-images.ts';

/** What an image has, besides the main sum, the second multipoint table, and the sums of the ROM system. */
export interface Me7Options {
  readonly seed: number;
  readonly size?: 524_288 | 1_048_576;
  /** `plain`: a CRC for each range. `seeded`: the calculation runs on. `implied`: the program does not name the ranges. */
  readonly crc?: 'none' | 'plain' | 'seeded' | 'implied';
  readonly hasByteSum?: boolean;
  readonly hasMultipoint1?: boolean;
  /** A signature with the exponent 1: the padded digest itself. Nobody needs a key for it. */
  readonly isSigned?: boolean;
}

const base = 0x800000;
/** Places that no multipoint entry covers, and one that the first range of the calibration covers. */
const places = {
  byteSum: 0x17f80,
  crc: [0x17f88, 0x17f8c, 0x17f90],
  crcSeed: 0x17fa0,
  parameterSum: 0x100f0,
  signature: 0x18000,
  modulus: 0x18080,
  signedRanges: 0x18100,
  exponent: 0x18120,
  multipoint1: 0x2a000,
  code: 0x2c000,
} as const;
const seedBytes = 12;
/** Up to the multipoint table of either layout. */
const calibration = [
  [0x10000, 0x13fff],
  [0x14300, 0x17f67],
  [0x18191, 0x1fbaf],
] as const;
/** What the control units check whose program does not name the ranges; their table is behind. */
const implied = [
  [0x10000, 0x13fff],
  [0x14300, 0x17f67],
  [0x18191, 0x1fbff],
] as const;
/** Four ranges: a program with a seed checks one more. */
const seeded = [
  [0x10000, 0x13fff],
  [0x14300, 0x15fff],
  [0x16000, 0x17f67],
  [0x18191, 0x1fbaf],
] as const;
const signed = [
  [0x10000, 0x13fff],
  [0x14300, 0x17f4f],
  [0x18326, 0x1fbaf],
  [0x2e000, 0x2efff],
] as const;

type Ranges = readonly (readonly [first: number, last: number])[];

/** The ranges of the calibration that an image's program checks. */
function checkedRanges({ crc = 'plain' }: Me7Options): Ranges {
  return { none: calibration, plain: calibration, seeded, implied }[crc];
}

/** Writes the instructions that name the places, one after the other. */
function writeCode(image: Uint8Array, options: Me7Options): void {
  const { crc = 'plain', hasByteSum = true, isSigned = false } = options;
  let next: number = places.code;
  /** `text`: hexadecimal, with the address as `LLLL` and `HH`. */
  const put = (text: string, to: number): void => {
    const low = ((to & 0xff) << 8) | ((to >>> 8) & 0xff);
    const high = 0x80 | (to >>> 16);
    const hex = text
      .replace('LLLL', low.toString(16).padStart(4, '0'))
      .replace('HH', high.toString(16));
    image.set(Buffer.from(hex, 'hex'), next);
    next += 64;
  };
  const ranges = checkedRanges(options);
  if (crc !== 'implied') {
    for (const [first] of ranges) put('E6F8LLLLE6F9HH00F2F4', first);
    for (const [, last] of ranges) put('109BE6F4LLLLE6F5HH00', last);
  }
  if (crc !== 'none') for (const to of places.crc) put('F6F51234E6F4LLLLE6F5HH00DA00', to);
  if (crc === 'seeded') {
    const count = seedBytes.toString(16);
    put(`E6FCLLLLE6FDHH00E0${count}EDA123456F6F4`, places.crcSeed);
  }
  if (hasByteSum) put('E10CE6F4LLLLE6F5HH00DA00', places.byteSum);
  if (!isSigned) return;
  for (const to of [places.signature, places.modulus]) put('80008840E6F4LLLLE6F5HH008850', to);
  put('E0448840E6F4LLLLE6F5HH008850', places.exponent);
  put('E138F7F8E5F9F2F4LLLLF2F50402F6F4', places.signedRanges);
}

function sumWords(view: DataView, first: number, last: number): number {
  let sum = 0;
  for (let at = first; at <= last; at += 2) sum = (sum + view.getUint16(at, true)) >>> 0;
  return sum;
}

/** The sums of the description of the ROM system. */
function writeRomSystem(view: DataView): void {
  const put = (at: number, value: number) => view.setUint32(at, value, true);
  const word = (at: number) => view.getUint16(at, true);
  const [first, last] = [0x10200, 0x1fb00];
  put(0x8010, base + places.parameterSum);
  put(0x8030, base + first);
  put(0x8034, base + last);
  put(places.parameterSum, word(first) + word(last));
  put(0x8038, word(0x8000) + word(0xfffe));
  let pages = 0;
  for (let at = 0; at < view.byteLength; at += 0x2000) {
    if (at < 0x10000 || at >= 0x20000) pages += word(at) + word(at + 0x1ffe);
  }
  put(0x803c, pages);
}

function writeCalibrationSums(image: Uint8Array, view: DataView, options: Me7Options): void {
  const { crc = 'plain', hasByteSum = true } = options;
  const ranges = checkedRanges(options).map(([first, last]) => image.subarray(first, last + 1));
  const put = (at: number, value: number) => view.setUint32(at, value >>> 0, true);
  if (hasByteSum) {
    const sum = ranges.reduce((all, bytes) => bytes.reduce((one, byte) => one + byte, all), 0);
    put(places.byteSum, sum);
    put(places.byteSum + 4, ~sum);
  }
  if (crc === 'none') return;
  const seedAt = places.crcSeed;
  let running = crc32(image.subarray(seedAt, seedAt + seedBytes));
  let value = 0;
  for (const [index, bytes] of ranges.entries()) {
    running = crc32(bytes, running);
    if (crc === 'seeded' && index === 2) continue;
    put(places.crc[value] ?? 0, crc === 'seeded' ? running : crc32(bytes));
    value += 1;
  }
}

/** The padded digest of the signed ranges, where the signature is. */
function writeSignature(image: Uint8Array, view: DataView): void {
  image.fill(0xff, places.modulus, places.modulus + 128);
  view.setUint32(places.exponent, 1);
  for (const [index, [first, last]] of signed.entries()) {
    view.setUint32(places.signedRanges + 4 * index, base + first, true);
    view.setUint32(places.signedRanges + 16 + 4 * index, base + last, true);
  }
  const hash = createHash('md5');
  for (const [first, last] of signed) hash.update(image.subarray(first, last + 1));
  image.fill(0xff, places.signature, places.signature + 111);
  image.set([0, 1], places.signature);
  image[places.signature + 111] = 0;
  image.set(hash.digest(), places.signature + 112);
}

/** Writes the numbers of every entry that is about the image itself. */
function writeEntries(view: DataView, table: number, most: number): void {
  for (let at = table; at < table + 16 * most; at += 16) {
    const [first, last] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    if (first === 0xffffffff) return;
    if (first < base) continue;
    const sum = sumWords(view, first - base, last - base);
    view.setUint32(at + 8, sum, true);
    view.setUint32(at + 12, ~sum >>> 0, true);
  }
}

/** Where the second multipoint table is; the first entry is about the memory of the processor. */
export function findMultipoint2(image: Uint8Array): number {
  return Buffer.from(image).indexOf('00000000ff3f0000cff5a00f', 0x10000, 'hex');
}

/** The bytes in which an image can differ that was made right. */
export function fieldsOf(image: Uint8Array): (readonly [at: number, length: number])[] {
  const table = findMultipoint2(image);
  return [
    [places.byteSum, 20],
    [places.parameterSum, 4],
    [0x8038, 8],
    [image.length - 0x20, 8],
    [places.multipoint1 + 8, 8],
    [places.multipoint1 + 24, 8],
    ...Array.from({ length: 66 }, (_, index) => [table + 16 * index + 8, 8] as const),
  ];
}

/** Makes all checksums right, in the order of the control units; a table in its own range needs a second turn. */
export function makeRight(image: Uint8Array, options: Me7Options): void {
  const view = new DataView(image.buffer, image.byteOffset, image.length);
  const { length } = image;
  writeRomSystem(view);
  writeCalibrationSums(image, view, options);
  if (options.isSigned === true) writeSignature(image, view);
  view.setUint32(length - 0x20, 0, true);
  view.setUint32(length - 0x1c, 0xffffffff, true);
  const main = (sumWords(view, 0, 0xfbff) + sumWords(view, 0x20000, length - 1)) >>> 0;
  view.setUint32(length - 0x20, main, true);
  view.setUint32(length - 0x1c, ~main >>> 0, true);
  for (const _ of [1, 2]) {
    if (options.hasMultipoint1 !== false) writeEntries(view, places.multipoint1, 2);
    writeEntries(view, findMultipoint2(image), 66);
  }
}

/** An image of an ME7 control unit in which every checksum is right; the same options give the same bytes. */
export function generateChecked(options: Me7Options): Uint8Array {
  const { seed, size = 524_288, hasMultipoint1 = true, crc } = options;
  const program = crc === 'implied' ? 2 * seed + 1 : seed;
  const { image } = generateMe7Image({ seed, program, size });
  const view = new DataView(image.buffer);
  // the gaps between the ranges of the calibration
  image.fill(0x5a, places.crcSeed, places.crcSeed + seedBytes);
  writeCode(image, options);
  if (hasMultipoint1) {
    // a number and its complement add the same to the main sum, whatever they are
    const none = [0, 0xffffffff];
    const entries = [
      base + 0x24000,
      base + 0x25fff,
      ...none,
      base + 0x26000,
      base + 0x27fff,
      ...none,
    ];
    for (const [index, number] of [...entries, 0xffffffff].entries()) {
      view.setUint32(places.multipoint1 + 4 * index, number, true);
    }
  }
  makeRight(image, options);
  return image;
}
