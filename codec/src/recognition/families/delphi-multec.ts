/** Delphi Multec S. */

import { type EcuFamily, fieldAt, hasBytesAt, kibibytes, textAt } from '../ecu-family.ts';

const size = kibibytes(128);
/** The first 8 KiB are erased. */
const program = 0x2000;
/** The block of numbers, and its copy. */
const blocks = [0x3000, 0x13000] as const;
const length = 0x40;

export const delphiMultec: EcuFamily = {
  id: 'delphi-multec',
  isValidated: false,
  find(scanned) {
    const { image } = scanned;
    if (image.length !== size || !hasBytesAt(scanned, program, [0x00, 0x00, 0x7e])) return null;
    if (!image.subarray(0, program).every((byte) => byte === 0xff)) return null;
    const [block, copy] = blocks;
    const isMirrored = image
      .subarray(block, block + length)
      .every((byte, at) => byte === image[copy + at]);
    if (!isMirrored) return null;
    const engine = [3, 4, 5, 6]
      .map((count) => textAt(scanned, block + 0x2c, count))
      .findLast((text) => text !== null && /^X\w+$/.test(text));
    return {
      name: 'Delphi Multec S',
      fields: [
        fieldAt(scanned, 'software', { offset: block + 0x09, length: 10 }, /^\d{8}[A-Z]{2}$/),
        fieldAt(scanned, 'partNumber', { offset: block + 0x15, length: 8 }, /^\d{8}$/),
        engine ? { name: 'engine', value: engine, offset: block + 0x2c, text: engine } : null,
      ],
    };
  },
};
