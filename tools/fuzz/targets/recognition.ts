/**
 * Images with what families are recognized by, changed and mixed. The input is a list of parts that are laid over an image
 * of a family.
 *
 *     family u8; then for each part: kind u8, at u16 (in units of 16 bytes), length u8; kind 0: that many bytes of the input
 */
import { recognition } from '@recodery/contract/families/recognition';
import { recognizeImage } from '@recodery/codec/recognition/recognize';
import { ecuImageFamilies, generateEcuImage } from '../../../codec/samples/ecu-images.ts';
import { readBytes } from '../byte-reader.ts';
import { type FuzzTarget, must, textBytes } from '../target.ts';

/** Larger images take too long to build for every input. */
const mostBytes = 1024 * 1024;
const images = ecuImageFamilies
  .map((family) => generateEcuImage(family, 1).image)
  .filter(({ length }) => length <= mostBytes);

function build(input: Uint8Array): Uint8Array {
  const bytes = readBytes(input);
  const image = images[bytes.byte() % images.length]?.slice() ?? new Uint8Array(0);
  for (let count = 0; count < 32 && bytes.rest().length > 0; count += 1) {
    const kind = bytes.byte() % 4;
    const at = (bytes.word() * 16) % image.length;
    const length = Math.min(bytes.byte(), image.length - at);
    if (kind === 0) {
      for (let place = at; place < at + length; place += 1) image[place] = bytes.byte();
    }
    if (kind === 1) image.fill(0xff, at, at + length);
    if (kind === 2) image.copyWithin(at, (at + 0x10000) % image.length);
    if (kind === 3) image.set(images[length % images.length]?.subarray(at, at + 0x1000) ?? [], 0);
  }
  return image;
}

/** See the file's first comment. */
function run(input: Uint8Array): void {
  const image = build(input);
  const found = recognizeImage(image);
  if (found === null) return;
  must(recognition.safeParse(found).success, 'not as the contract declares it');
  const names = found.fields.map(({ name }) => name);
  must(new Set(names).size === names.length, 'a field twice');
  must(
    names.some((name) => ['hardware', 'software', 'calibration'].includes(name)),
    'recognized without a number',
  );
  const bytes = Buffer.from(image);
  if (found.isSwapped) bytes.swap16();
  for (const { text, offset } of found.fields) {
    must(
      bytes.toString('latin1', offset, offset + text.length) === text,
      'a text that is not there',
    );
  }
}

const part = (kind: number, at: number, length: number, ...rest: readonly number[]): Uint8Array =>
  Uint8Array.of(kind, at & 0xff, at >>> 8, length, ...rest);

export const target: FuzzTarget = {
  longest: 512,
  seeds: () => [
    ...images.map((_, index) => Uint8Array.of(index)),
    Buffer.concat([Uint8Array.of(0), part(1, 0x1001, 64)]),
    Buffer.concat([Uint8Array.of(1), part(2, 0x400, 0)]),
    Buffer.concat([Uint8Array.of(2), part(3, 0x1000, 3)]),
    Buffer.concat([Uint8Array.of(3), part(0, 0x3f8, 12, ...Buffer.from('5WK9002 MS43'))]),
  ],
  dictionary: textBytes([
    '0261207440',
    '0281010001',
    '1037360855',
    '5WK90027',
    '40/1/ME7.5/5/4016.20//20e/Dst03o/131100/',
    'rusEFI main.2024.05.06.proteus_f7.1234567',
    'speeduino 202501',
  ]),
  run,
};
