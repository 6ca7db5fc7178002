/** Bosch ME7: the main sum, the multipoint tables, the sums of the ROM system, and the checks of the calibration. */

import { crc32IsoHdlc } from '../../checksum/crc-catalog.ts';
import type { CodeRanges, KnownScheme, OperandPattern, PlacedRange } from '../language.ts';

const words = { kind: 'sum', unit: 2, order: 'le', width: 32 } as const;
const bytes = { kind: 'sum', unit: 1, order: 'le', width: 32 } as const;
const number = { type: 'u32le' } as const;
const pair = { type: 'u32le', complement: 4 } as const;

const code = { from: 0, step: 2 } as const;

const operand = (low: number, high: number, ...patterns: readonly string[]): OperandPattern => ({
  bytes: patterns,
  ...code,
  low,
  high,
});

const wordAt = (at: number): PlacedRange => ({ from: { pointer: at }, length: 2 });

/** The addresses in the description of the ROM system: without them, an image does not have it. */
const romSystem = [{ pointer: 0x8010 }, { pointer: 0x8030 }, { pointer: 0x8034 }] as const;

/** The calibration, as the program that checks it names it. */
const calibration: CodeRanges = {
  starts: operand(2, 6, 'e6 f8 .. .. e6 f9 8. 00 f2 f4'),
  ends: operand(4, 8, '10 9b e6 f4 .. .. e6 f5 8. 00'),
  otherwise: {
    size: 0x80000,
    ranges: [
      { at: 0x10000, length: 0x4000 },
      { at: 0x14300, length: 0x3c68 },
      { at: 0x18191, length: 0x7a6f },
    ],
  },
};

export const boschMe7: KnownScheme = {
  name: 'Bosch ME7',
  sizes: [0x80000, 0x100000],
  fold: { from: 0x100000, to: 0x80000 },
  base: 0x800000,
  order: 'le',
  provedBy: ['Main', 'Multipoint 2'],
  isProved: true,
  parts: [
    {
      kind: 'code-sum',
      name: 'Byte sum',
      algorithm: bytes,
      ...pair,
      ranges: calibration,
      at: operand(
        4,
        8,
        'e1 0c e6 f4 .. .. e6 f5 8. 00 da 00',
        '04 00 e6 f4 .. .. e6 f5 8. 00 da 00',
      ),
    },
    {
      kind: 'code-stream',
      name: 'CRC',
      algorithm: crc32IsoHdlc,
      ...number,
      ranges: calibration,
      values: operand(6, 10, 'f6 f5 .. .. e6 f4 .. .. e6 f5 8. 00 da 00'),
      valueCount: 3,
      seed: {
        ...operand(2, 6, 'e6 fc .. .. e6 fd 8. 00 e0 .e da .. .. .. f6 f4'),
        length: 9,
      },
    },
    {
      kind: 'sum',
      name: 'Parameter page',
      requires: romSystem,
      algorithm: words,
      ...number,
      ranges: [wordAt(0x8030), wordAt(0x8034)],
      at: { pointer: 0x8010 },
    },
    {
      kind: 'sum',
      name: 'Startup',
      requires: romSystem,
      algorithm: words,
      ...number,
      ranges: [
        { from: 0x8000, length: 2 },
        { from: 0xfffe, length: 2 },
      ],
      at: 0x8038,
    },
    {
      kind: 'sum',
      name: 'Program pages',
      requires: romSystem,
      algorithm: words,
      ...number,
      ranges: { page: 0x2000, word: 2, except: { at: 0x10000, length: 0x10000 } },
      at: 0x803c,
    },
    {
      kind: 'sum',
      name: 'Main',
      find: {
        bytes: [
          '00 00 80 00 ff fb 80 00 00 00 82 00 ff .. 87 00',
          '00 00 80 00 ff fb 80 00 00 00 82 00 ff .. 8f 00',
        ],
        ...code,
      },
      algorithm: words,
      ...pair,
      ranges: [
        { from: { pointer: { fromMatch: 0 } }, last: { pointer: { fromMatch: 4 } } },
        { from: { pointer: { fromMatch: 8 } }, last: { pointer: { fromMatch: 12 } } },
      ],
      // inside of the second range; the number and its complement add up to a constant
      at: { fromEnd: 0x20 },
    },
    {
      kind: 'entries',
      name: 'Multipoint 1',
      table: {
        bytes: [`00 40 82 00 ${'.. '.repeat(28)}ff ff ff ff`],
        // an entry of the other table
        except: ['00 40 82 00 ff 7f 82 00'],
        ...code,
      },
      stride: 16,
      most: 2,
      type: 'u32le',
      sum: { algorithm: words, ...pair, at: 8 },
      end: 0xffffffffn,
    },
    {
      kind: 'entries',
      name: 'Multipoint 2',
      table: {
        bytes: ['00 00 00 00 ff 3f 00 00 .. .. .. .. ~ ~ ~ ~'],
        ...code,
        from: 0x10000,
      },
      stride: 16,
      // the full table has no end mark
      most: 66,
      type: 'u32le',
      sum: { algorithm: words, ...pair, at: 8 },
      end: 0xffffffffn,
    },
    {
      kind: 'rsa-md5',
      name: 'Signature',
      bytes: 128,
      numbers: operand(6, 10, '80 00 88 40 e6 f4 .. .. e6 f5 8. 00 88 50'),
      exponent: operand(6, 10, 'e0 44 88 40 e6 f4 .. .. e6 f5 8. 00 88 50'),
      table: {
        bytes: ['e1 .8 f7 f8 e5 f9 f2 f4 .. .. f2 f5 .. .. f6 f4'],
        ...code,
        low: 8,
        segment: 0x10000,
        count: 1,
      },
    },
  ],
};
