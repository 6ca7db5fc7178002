/** Bosch EDC17 and MED17: blocks that describe their own checksums. Never tried on a real image: only verified. */

import type { KnownScheme } from '../language.ts';

/** The start value of all of them; as a parameter of the CRC, its bits are mirrored. */
const start = 'fadecafe';
const mirroredStart = '7f537b5f';

export const boschTriCore: KnownScheme = {
  name: 'Bosch EDC17/MED17',
  sizes: { min: 0x10000, max: 0x1000000 },
  base: 0,
  order: 'le',
  provedBy: ['Blocks'],
  isProved: false,
  parts: [
    {
      kind: 'blocks',
      name: 'Blocks',
      marks: { bytes: ['fe ca de fa fe af fe ca'], from: 0, step: 4, at: 12 },
      structures: { from: 0x34, stride: 32, most: 32 },
      structure: { first: 4, last: 8, algorithm: 28 },
      header: { length: 4, lastAddress: 12, count: 0x2c },
      endMark: 0xdeadbeefn,
      addressMask: 0x1fffffff,
      // the third one, a sum of 16-bit words, is described in two ways
      algorithms: {
        0: {
          algorithm: {
            kind: 'crc',
            width: 32,
            polynomial: '04c11db7',
            init: mirroredStart,
            reflectIn: true,
            reflectOut: true,
            xorOut: '0',
          },
          target: '35015001',
        },
        1: {
          algorithm: { kind: 'sum', unit: 4, order: 'le', width: 32, start },
          target: 'cafeaffe',
        },
      },
    },
  ],
};
