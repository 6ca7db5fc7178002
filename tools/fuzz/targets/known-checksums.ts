/**
 * Images of real control units in which any bytes were overwritten. The input is a choice of the image, then a list of
 * writes.
 *
 *     image u8; each write: at u24, length u8, the bytes
 */
import {
  correctKnown,
  isCorrectable,
  verifyKnown,
} from '@recodery/codec/known-checksums/known-checksums';
import { generateDenso } from '../../../codec/samples/denso-images.ts';
import { findMultipoint2, generateChecked } from '../../../codec/samples/me7-checksums.ts';
import { generateTriCore } from '../../../codec/samples/tricore-images.ts';
import { readBytes } from '../byte-reader.ts';
import { orRefused } from '../codec-errors.ts';
import { type FuzzTarget, must } from '../target.ts';

const images: readonly Uint8Array[] = [
  generateChecked({ seed: 1 }),
  generateChecked({ seed: 2, crc: 'seeded' }),
  generateChecked({ seed: 3, isSigned: true }),
  generateDenso(0x80000, 2),
  new Uint8Array(0x80000),
  generateTriCore(0x40000),
];

/** See the file's first comment. */
function run(input: Uint8Array): void {
  const bytes = readBytes(input);
  const read = images[bytes.byte() % images.length] ?? new Uint8Array();
  const image = new Uint8Array(read);
  for (let count = 0; count < 16 && bytes.rest().length > 0; count += 1) {
    const at = (bytes.byte() << 16) | bytes.word();
    const length = bytes.byte();
    for (let index = 0; index < length; index += 1) {
      if (at + index < image.length) image[at + index] = bytes.byte();
    }
  }
  const before = new Uint8Array(image);
  const report = verifyKnown(image, read);
  const corrected = orRefused(() => correctKnown(image, read));
  must(Buffer.compare(before, image) === 0, 'the image was changed in place');
  if (corrected === null) return;
  must(report !== null && isCorrectable(report), 'corrected without a reason');
  const after = verifyKnown(corrected, read);
  must(
    after?.parts.every(({ state }) => state === 'right' || state === 'off') === true,
    'wrong after the correction',
  );
  must(correctKnown(corrected, read) === corrected, 'corrected again');
}

const patch = (image: number, at: number, ...bytes: readonly number[]): Uint8Array =>
  Uint8Array.of(image, at >>> 16, at & 0xff, (at >>> 8) & 0xff, bytes.length, ...bytes);
const table = findMultipoint2(images[0] ?? new Uint8Array());

export const target: FuzzTarget = {
  longest: 256,
  seeds: () => [
    ...images.map((_, index) => Uint8Array.of(index)),
    patch(0, 0x11000, 1, 2, 3),
    patch(0, table + 32, 0, 0, 0x80, 0, 0xff, 0xff, 0x87, 0),
    patch(1, 0x2c000, 0xe6, 0xf8, 0, 0),
    patch(2, 0x18000, 0, 1, 2),
    patch(3, 0x7fb80, 0, 0, 0x20, 0),
    patch(4, 0x24000, 0, 0, 0x80, 0, 0xff, 0xfb, 0x80, 0, 0, 0, 0x82, 0, 0xff, 0xff, 0x87, 0),
  ],
  dictionary: [
    Uint8Array.of(0xfe, 0xca, 0xde, 0xfa, 0xfe, 0xaf, 0xfe, 0xca),
    Uint8Array.of(0xe6, 0xf8, 0, 0, 0xe6, 0xf9, 0x81, 0, 0xf2, 0xf4),
    Uint8Array.of(0x10, 0x9b, 0xe6, 0xf4, 0, 0, 0xe6, 0xf5, 0x81, 0),
    Uint8Array.of(0xff, 0xff, 0xff, 0xff),
    Uint8Array.of(0, 0, 0x80, 0, 0xff, 0xff, 0x87, 0),
  ],
  run,
};
