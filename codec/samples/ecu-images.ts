/**
 * Generates images with the texts and structures by which each family of control units is recognized; everything around
 * them is invented.
 */
import { mixSeeds, seededRandom } from '@recodery/codec/sample-images/random';
import type { RecognizedField } from '@recodery/contract/families/recognition';
import { generateMe7Image } from './me7-images.ts';

/** An image, and what it should be recognized as. */
export interface EcuImage {
  readonly family: string;
  readonly image: Uint8Array;
  readonly expected: Readonly<Partial<Record<RecognizedField['name'], string>>>;
  readonly certainty: 'certain' | 'probable';
}

/** Writes into an image; the numbers have the digits of the seed. */
interface Brush {
  readonly image: Uint8Array;
  readonly view: DataView;
  text(at: number, text: string): void;
  /** That many digits, the same in each call. */
  digits(count: number): string;
}

interface Recipe {
  readonly size: number;
  readonly certainty?: EcuImage['certainty'];
  paint(brush: Brush): EcuImage['expected'];
}

const kib = 1024;

function paintBlock({ view, text }: Brush, at: number, type: number, size: number): void {
  view.setUint32(at, 0x100 | type, true);
  view.setUint32(at + 4, size, true);
  view.setUint32(at + 0xc, 0x80000000 + at + size - 4, true);
  view.setUint32(at + size - 4, 0xdeadbeef, true);
  text(at + 0x1a, `1037${String(type).padStart(3, '0')}295`);
}

function exchangePairs(text: string): string {
  return text.replace(/(.)(.)/g, '$2$1');
}

/** Three ranges of the image, then unused entries that repeat the first one. */
function paintSumTable({ view }: Brush, table: number): void {
  for (let entry = 0; entry < 17; entry += 1) {
    const start = 0x4000 + entry * 0x1000;
    let sum = 0;
    for (let at = start; at < start + 0x1000; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
    view.setUint32(table + entry * 12, start);
    view.setUint32(table + entry * 12 + 4, start + 0xfff);
    view.setUint32(table + entry * 12 + 8, (0x5aa5a55a - sum) >>> 0);
  }
}

const recipes: Readonly<Record<string, Recipe>> = {
  'bosch-tricore': {
    size: 2048 * kib,
    paint(brush) {
      const hardware = `0281${brush.digits(6)}`;
      brush.text(0xfd00, hardware);
      brush.text(0xfe33, hardware);
      brush.text(0x7f000, '44/1/EDC17_CP09/5/P542//');
      paintBlock(brush, 0x20000, 0x40, 0x8000);
      paintBlock(brush, 0x40000, 0x60, 0x40000);
      return { hardware, software: '1037096295', program: '1037064295' };
    },
  },
  'bosch-edc16': {
    size: 1024 * kib,
    paint({ text, image, digits }) {
      const [hardware, software] = [`0281${digits(6)}`, `1037A${digits(5)}`];
      text(0x40010, software);
      image.set([0xde, 0xca, 0xfe], 0x4003d);
      text(0xe0000, 'EDC16U34/');
      text(0xe0100, hardware);
      return { hardware, software };
    },
  },
  'bosch-edc15': {
    size: 512 * kib,
    paint({ text, image, digits }) {
      const [hardware, software] = [`0281${digits(6)}`, `1037${digits(6)}`];
      image.fill(0xc3, 0x30000, 0x50000);
      text(0x8000, 'TSW V2.40 ');
      image.fill(0xff, 0x60000, 0x60100);
      text(0x60010, hardware);
      text(0x60040, software);
      return { hardware, software };
    },
  },
  'bosch-me9': {
    size: 2048 * kib,
    paint({ text, digits }) {
      const [hardware, software] = [`0261${digits(6)}`, `1037${digits(6)}`];
      text(0x90000, 'Bosch.Common.RamLoader.Me9');
      text(0x4100, hardware);
      text(0x461c, `"${software}`);
      return { hardware, software };
    },
  },
  'bosch-motronic': {
    size: 128 * kib,
    paint({ text, digits }) {
      const [hardware, software] = [`0261${digits(6)}`, `1037${digits(6)}`];
      text(0x1f000, '47/1/M4.4/5/');
      text(0x1f800, hardware + software);
      return { hardware, software };
    },
  },
  'siemens-simos': {
    size: 4096 * kib,
    certainty: 'probable',
    paint({ text, digits }) {
      const calibration = `SC8${digits(3)}50`;
      text(0x200023, calibration);
      text(0x200060, '8V0906264L ');
      return { calibration, partNumber: '8V0906264L' };
    },
  },
  'siemens-ms43': {
    size: 512 * kib,
    paint({ text, digits }) {
      const [hardware, software] = [`5WK9${digits(4)}`, `657${digits(7)}`];
      text(0x3f80, `${hardware} 00001234 MS43 `);
      text(0x6ffb2, `${software}--`);
      text(0x70040, 'ca430069.DAT');
      return { hardware, software, calibration: 'ca430069' };
    },
  },
  'siemens-mss54': {
    size: 512 * kib,
    paint({ text, digits }) {
      const [hardware, software] = [`5WK9${digits(4)}`, `2113${digits(8)}J001`];
      text(0xbfb8, software.repeat(3));
      text(0x60000, exchangePairs(hardware));
      return { hardware, software };
    },
  },
  'siemens-texts': {
    size: 128 * kib,
    paint({ text, digits }) {
      const [hardware, software] = [`5WK9${digits(4)}`, `RS${digits(8)}`];
      text(0x4000, software);
      text(0x4100, hardware);
      return { hardware, software };
    },
  },
  'delphi-multec': {
    size: 128 * kib,
    certainty: 'probable',
    paint({ text, image, digits }) {
      const [software, partNumber] = [`${digits(8)}AB`, digits(8)];
      image.fill(0xff, 0, 0x2000);
      image.set([0x00, 0x00, 0x7e], 0x2000);
      text(0x3009, software);
      text(0x3015, partNumber);
      text(0x302c, 'X14XE\0');
      image.copyWithin(0x13000, 0x3000, 0x3040);
      return { software, partNumber, engine: 'X14XE' };
    },
  },
  'denso-subaru': {
    size: 512 * kib,
    paint(brush) {
      const software = `A2ZJ${brush.digits(3)}L`;
      brush.text(0x2000, software);
      paintSumTable(brush, 0x7fb80);
      return { software };
    },
  },
  rusefi: {
    size: 192 * kib,
    paint({ text, digits }) {
      const software = `rusEFI main.2024.05.06.proteus_f7.${digits(9)}`;
      text(0x20000, `${software}\0`);
      return { hardware: 'proteus_f7', software, date: '2024.05.06' };
    },
  },
  speeduino: {
    size: 96 * kib,
    paint({ text }) {
      text(0xdba, 'Speeduino 2025.01.2\0speeduino 202501\0');
      return { software: '202501', version: '2025.01.2' };
    },
  },
};

/** The families that images are generated for. */
export const ecuImageFamilies: readonly string[] = ['bosch-me7', ...Object.keys(recipes)];

function generateMe7(seed: number): EcuImage {
  const { image, texts } = generateMe7Image({ seed, program: seed });
  const { hardware, software, partNumber, engine, version } = texts;
  const [, , , , calibration = '', , , date = ''] = texts.variant.split('/');
  const expected = { hardware, software, partNumber, engine, version, calibration, date };
  return { family: 'bosch-me7', image, expected, certainty: 'certain' };
}

/** An image of a family; the same arguments give the same bytes. @throws RangeError for a family without generator */
export function generateEcuImage(family: string, seed: number): EcuImage {
  if (family === 'bosch-me7') return generateMe7(seed);
  const recipe = recipes[family];
  if (recipe === undefined) throw new RangeError(`there are no images of ${family}`);
  const random = seededRandom(mixSeeds(seed, recipe.size));
  const image = Uint8Array.from({ length: recipe.size }, () => random.next() & 0xff);
  const number = Array.from({ length: 10 }, () => random.below(10)).join('');
  const brush: Brush = {
    image,
    view: new DataView(image.buffer),
    text(at, text) {
      image.set(new TextEncoder().encode(text), at);
      // a random byte after it could continue a number
      image[at + text.length] = 0xff;
    },
    digits: (count) => number.slice(0, count),
  };
  const expected = recipe.paint(brush);
  return { family, image, expected, certainty: recipe.certainty ?? 'certain' };
}
