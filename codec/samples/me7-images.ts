/**
 * Generates images that look like those of a real engine control unit, Bosch ME7: texts, tables and checksums are where
 * those images have them, and everything else is invented.
 */
import { mapsOf, paintMap } from '@recodery/codec/sample-images/calibration-maps';
import { mixSeeds, type Random, seededRandom } from '@recodery/codec/sample-images/random';

/** The identification of a generated image. */
export interface Me7Texts {
  /** 10 digits. */
  readonly hardware: string;
  /** 10 digits. */
  readonly software: string;
  readonly partNumber: string;
  readonly engine: string;
  readonly version: string;
  /** Digits, the family, the data set and its date, separated by slashes. */
  readonly variant: string;
}

/** A layout of the texts, as two groups of real images have them. */
interface Layout {
  readonly variantAt: number;
  readonly labelAt: number;
  readonly pairAt: number;
  readonly multipointAt: number;
}

const layouts: readonly [Layout, Layout] = [
  { variantAt: 0x10005, labelAt: 0x109ca, pairAt: 0x18326, multipointAt: 0x1fbb2 },
  { variantAt: 0x10007, labelAt: 0x1534e, pairAt: 0x143d0, multipointAt: 0x1fc00 },
];

const kib = 1024;
const calibration = { at: 0x10000, end: 0x20000 } as const;
const base = 0x800000;

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.below(10)).join('');

function inventTexts(random: Random): Me7Texts {
  const family = random.pick(['ME7.5', 'ME7.1', 'ME7.1.1']);
  const date = `${digits(random, 1)}1${digits(random, 1)}2${digits(random, 2)}`;
  return {
    hardware: `0261${digits(random, 6)}`,
    software: `1037${digits(random, 6)}`,
    partNumber: `${random.pick(['8D0', '4B0', '06A'])}906018${random.pick(['A', 'CB', 'DK'])}`,
    engine: `${random.pick(['1.8L R4/5VT', '2.7L V6/5VT', '3.2L V6/4V'])}`,
    version: `000${digits(random, 1)}`,
    variant: `${digits(random, 2)}/1/${family}/5/60${digits(random, 2)}.01//24${digits(random, 1)}/${date}/`,
  };
}

/** Instructions of two and four bytes in the frequencies of a program: few are common, and operands repeat. */
function paintCode(image: Uint8Array, from: number, to: number, random: Random): void {
  const operations = Array.from({ length: 48 }, () => random.next() & 0xff);
  const operands = Array.from({ length: 512 }, () => random.next() & 0xffff);
  for (let at = from; at + 4 <= to; ) {
    const rank = Math.floor(48 * random.between(0, 1) ** 2.5);
    image[at] = operations[rank] ?? 0;
    image[at + 1] = random.below(3) === 0 ? random.next() & 0xff : 0xf0 | random.below(16);
    if (rank % 3 === 0) {
      const operand = operands[Math.floor(512 * random.between(0, 1) ** 3)] ?? 0;
      image[at + 2] = operand & 0xff;
      image[at + 3] = operand >>> 8;
      at += 4;
    } else {
      at += 2;
    }
  }
}

function write(image: Uint8Array, at: number, text: string): void {
  image.set(new TextEncoder().encode(text), at);
}

/** The sum of the 16-bit words from `from` to the one that contains `last`. */
function sumWords(view: DataView, from: number, last: number): number {
  let sum = 0;
  for (let at = from; at <= last; at += 2) sum = (sum + view.getUint16(at, true)) >>> 0;
  return sum;
}

/** The ranges that a multipoint table covers, last bytes included; it covers neither itself nor the texts around it. */
function coveredRanges(size: number): readonly (readonly [from: number, last: number])[] {
  const pages: (readonly [number, number])[] = [
    [0x10000, 0x13fff],
    [0x14300, 0x17f4f],
    [0x18190, 0x1fbaf],
  ];
  for (let at = 0x20000; at < size; at += 0x4000) pages.push([at, at + 0x3fff]);
  return pages;
}

/** Writes the main sum, then the multipoint table, which covers it. */
function correct(image: Uint8Array, { multipointAt }: Layout): void {
  const view = new DataView(image.buffer);
  const { length } = image;
  view.setUint32(length - 0x20, 0, true);
  view.setUint32(length - 0x1c, 0xffffffff, true);
  const main = (sumWords(view, 0, 0xfbff) + sumWords(view, 0x20000, length - 1)) >>> 0;
  view.setUint32(length - 0x20, main, true);
  view.setUint32(length - 0x1c, ~main >>> 0, true);
  // the first two entries are about a memory that is not in the image
  const entries: [number, number, number][] = [
    [0, 0x3fff, 0x0fa0f5cf],
    [0x4000, 0x7fff, 0x0f4716b3],
  ];
  for (const [from, last] of coveredRanges(length)) {
    entries.push([base + from, base + last, sumWords(view, from, last)]);
  }
  for (const [index, [from, last, sum]] of entries.entries()) {
    for (const [place, value] of [from, last, sum, ~sum >>> 0].entries()) {
      view.setUint32(multipointAt + 16 * index + 4 * place, value, true);
    }
  }
  view.setUint32(multipointAt + 16 * entries.length, 0xffffffff, true);
}

/** Places of the texts and of the table of main ranges. */
function paintTexts(image: Uint8Array, texts: Me7Texts, layout: Layout): void {
  write(image, calibration.at, 'ZZ');
  image.fill(0xff, calibration.at + 2, layout.variantAt);
  write(image, layout.variantAt, texts.variant);
  image[layout.variantAt + texts.variant.length] = 0xff;
  const { partNumber, engine, version } = texts;
  write(image, layout.labelAt, partNumber.padEnd(12) + engine.padEnd(20) + version.padEnd(4));
  write(image, layout.pairAt, texts.hardware + texts.software);
  const view = new DataView(image.buffer);
  for (const [index, value] of [base, 0x80fbff, 0x820000, base + image.length - 1].entries()) {
    view.setUint32(0x24000 + 4 * index, value, true);
  }
}

/**
 * An image of 512 KiB or 1 MiB with right checksums; the same arguments give the same bytes. `program`: images with the
 * same number share the program, and differ in the calibration. `used`: the share of the program area that is not erased.
 */
export function generateMe7Image(options: {
  readonly seed: number;
  readonly program: number;
  readonly size?: 524_288 | 1_048_576;
  readonly used?: number;
}): { readonly image: Uint8Array; readonly texts: Me7Texts } {
  const { seed, program, size = 512 * kib, used = 0.8 } = options;
  const image = new Uint8Array(size).fill(0xff);
  paintCode(image, 0, 0xfc00, seededRandom(mixSeeds(program, 1)));
  const end = 0x20000 + 16 * Math.floor((used * (size - 0x20000)) / 16);
  paintCode(image, 0x20000, end, seededRandom(mixSeeds(program, 2)));
  const random = seededRandom(mixSeeds(seed, program, 3));
  const view = new DataView(image.buffer);
  for (const [at, length] of [
    [0x10100, 0x3e00],
    [0x14500, 0x3a00],
    [0x18500, 0x7600],
  ] as const) {
    image.fill(0, at, at + length);
    for (const map of mapsOf({ at, length })) paintMap(view, map, random);
  }
  const texts = inventTexts(random);
  const layout = layouts[program % 2] ?? layouts[0];
  paintTexts(image, texts, layout);
  correct(image, layout);
  return { image, texts };
}
