/** What happens to images on their way: each damage, the kind that a diagnosis must report, and whether it can be undone. */
import { createCipheriv } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { DiagnosisKind } from '@recodery/codec/diagnosis/kinds';
import { type Transformation, transform } from '@recodery/codec/diagnosis/transformations';
import { type Random, seededRandom } from '@recodery/codec/sample-images/random';
import { writeIntelHex } from './write-texts.ts';

/** What a damage is made from. */
export interface Subject {
  /** The image after its tune. */
  readonly image: Uint8Array;
  /** An image of another software, of the same size. */
  readonly other: Uint8Array | null;
  readonly eeprom: Uint8Array;
  readonly calibration: { readonly at: number; readonly length: number };
}

/** A damage. `make` returns null if the image is too small for it. */
export interface Damage {
  readonly name: string;
  /** The kinds that are right; empty: the file fits. */
  readonly kinds: readonly DiagnosisKind[];
  /** Whether a repair must give the tuned image, byte for byte. */
  readonly isReversible: boolean;
  readonly make: (subject: Subject) => Uint8Array | null;
}

const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const filled = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);
const randomBytes = (length: number, random: Random): Uint8Array =>
  Uint8Array.from({ length }, () => random.below(256));

type Make = (image: Uint8Array, subject: Subject) => Uint8Array | null;

const lossless = (name: string, kind: DiagnosisKind, make: Make): Damage => ({
  name,
  kinds: [kind],
  isReversible: true,
  make: (subject) => make(subject.image, subject),
});

const lossy = (
  name: string,
  kinds: DiagnosisKind | readonly DiagnosisKind[],
  make: Make,
): Damage => ({
  name,
  kinds: typeof kinds === 'string' ? [kinds] : kinds,
  isReversible: false,
  make: (subject) => make(subject.image, subject),
});

const swapped = (name: string, kind: DiagnosisKind, transformation: Transformation): Damage =>
  lossless(name, kind, (image) => transform(image, transformation));

/** Every 0A gets a 0D, also those that have one. */
function withReturns(image: Uint8Array): Uint8Array | null {
  const text = Buffer.from(image).toString('latin1');
  const isEnough = (text.match(/\n/g)?.length ?? 0) >= 16;
  return isEnough ? Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1') : null;
}

function withoutReturns(image: Uint8Array): Uint8Array | null {
  const text = Buffer.from(image).toString('latin1');
  const pairs = text.match(/\r\n/g)?.length ?? 0;
  return pairs < 4 ? null : Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1');
}

const laneOf = (image: Uint8Array, first: number): Uint8Array =>
  image.filter((_, index) => index % 2 === first);

/** Parts that are only in images of some size. */
const part =
  (from: number, length: number) =>
  (image: Uint8Array): Uint8Array | null =>
    from + length < image.length ? image.slice(from, from + length) : null;

const random = (seed: number): Random => seededRandom(seed);

const whole: readonly Damage[] = [
  { name: 'none', kinds: [], isReversible: false, make: ({ image }) => image },
  lossless('twice', 'repeated', (image) => join(image, image)),
  lossless('four times', 'repeated', (image) => join(image, image, image, image)),
  lossless('512 FF in front', 'inside', (image) => join(filled(512, 0xff), image)),
  lossless('65,536 00 in front', 'inside', (image) => join(filled(65_536, 0), image)),
  lossless('FF to twice the size', 'inside', (image) => join(image, filled(image.length, 0xff))),
  lossless('00 to twice the size', 'inside', (image) => join(image, filled(image.length, 0))),
  lossless('1 byte behind', 'inside', (image) => join(image, filled(1, 0x0a))),
  lossy('16 random bytes in front', 'inside', (image) => join(randomBytes(16, random(7)), image)),
  lossy('2 different bytes behind', 'inside', (image) => join(image, Uint8Array.of(0x0d, 0x0a))),
  swapped('pairs exchanged', 'swapped', 'pairs'),
  swapped('fours reversed', 'swapped', 'fours'),
  swapped('words exchanged', 'swapped', 'words'),
  swapped('inverted', 'inverted', 'inverted'),
  swapped('bits reversed', 'bit-order', 'bits'),
  lossless('exchanged and twice', 'repeated', (image) => transform(join(image, image), 'pairs')),
  lossless('exchanged, 65,536 FF in front', 'inside', (image) =>
    transform(join(filled(65_536, 0xff), image), 'pairs'),
  ),
];

const parts: readonly Damage[] = [
  lossy('first half', 'partial', (image) => image.slice(0, image.length >> 1)),
  lossy('second half', ['partial', 'erased'], (image) => image.slice(image.length >> 1)),
  lossy('256 KiB at 0', 'partial', part(0, 0x40000)),
  lossy('64 KiB at 0x40000', ['partial', 'erased'], part(0x40000, 0x10000)),
  lossy('64 KiB of calibration', 'partial', (image, { calibration: { at } }) =>
    part(at, 0x10000)(image),
  ),
  lossy('16 KiB of calibration', ['partial'], (image, { calibration: { at } }) =>
    part(at, 0x4000)(image),
  ),
  lossy('64 KiB missing in front', 'partial', (image) =>
    image.length > 0x20000 ? image.slice(0x10000) : null,
  ),
  lossy('32 KiB missing in front', 'partial', (image) =>
    image.length > 0x20000 ? image.slice(0x8000) : null,
  ),
  lossy('1 byte missing behind', 'partial', (image) => image.slice(0, -1)),
  lossy('256 bytes missing behind', 'partial', (image) => image.slice(0, -256)),
  lossy('shifted by 256', 'shifted', (image) =>
    join(randomBytes(256, random(3)), image).slice(0, image.length),
  ),
  lossy('shifted by -256', 'shifted', (image) => join(image.slice(256), filled(256, 0xff))),
  lossy('even bytes', 'every-second-byte', (image) => laneOf(image, 0)),
  lossy('odd bytes', 'every-second-byte', (image) => laneOf(image, 1)),
  lossless('halves exchanged', 'pieces', (image) =>
    join(image.slice(image.length >> 1), image.slice(0, image.length >> 1)),
  ),
  lossy('1 byte lost in the middle', 'pieces', (image) =>
    join(image.slice(0, image.length >> 2), image.slice((image.length >> 2) + 1)),
  ),
  lossy('half erased', 'erased-part', (image) => {
    const result = new Uint8Array(image);
    return result.fill(0xff, 0, image.length >> 1);
  }),
];

const contents: readonly Damage[] = [
  lossless('LF became CR LF', 'line-ends', withReturns),
  lossy('CR LF became LF', 'line-ends', withoutReturns),
  lossless('Latin-1 as UTF-8', 'utf-8', (image) =>
    Buffer.from(Buffer.from(image).toString('latin1'), 'utf8'),
  ),
  lossy('decoded as UTF-8', 'utf-8', (image) =>
    Buffer.from(Buffer.from(image).toString('utf8'), 'utf8'),
  ),
  lossless('UTF-16', 'utf-16', (image) =>
    Buffer.from(Buffer.from(image).toString('latin1'), 'utf16le'),
  ),
  lossy('7 bits', 'seven-bit', (image) => image.map((byte) => byte & 0x7f)),
  lossless('Intel HEX', 'intel-hex', (image) => writeIntelHex(image, 0)),
  lossless('Intel HEX at 0x800000', 'intel-hex', (image) => writeIntelHex(image, 0x800000)),
  lossless('Intel HEX, exchanged', 'intel-hex', (image) =>
    writeIntelHex(transform(image, 'pairs'), 0),
  ),
  lossy('deflated', 'dense', (image) => deflateRawSync(image)),
  lossy('encrypted', 'dense', (image) => {
    const cipher = createCipheriv('aes-128-cbc', filled(16, 7), filled(16, 1));
    return join(cipher.update(image), cipher.final());
  }),
  lossy('random', 'dense', (image) => randomBytes(image.length, random(5))),
  lossy('all FF', 'erased', (image) => filled(image.length, 0xff)),
  lossy('all 00', 'erased', (image) => filled(image.length, 0)),
  lossy('the EEPROM', 'other-component', (_, { eeprom }) => eeprom),
  lossy('other software', ['other-software', 'unrelated'], (_, { other }) => other),
  lossy(
    'other software, twice',
    ['other-software', 'unrelated'],
    (_, { other }) => other && join(other, other),
  ),
];

/** All damages. */
export const damages: readonly Damage[] = [...whole, ...parts, ...contents];
