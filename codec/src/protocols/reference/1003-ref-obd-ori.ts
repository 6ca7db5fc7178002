/**
 * 1003 REF-OBD-ORI: an ECU that stores part of its checksums where no read can access them, so that a tune needs the
 * original.
 */

import { crc32IsoHdlc } from '../../checksum/crc-catalog.ts';
import type { Protocol } from '../shape.ts';
import { area, identBlock, identBytes, kessv2AndKess3, span, stored, sum } from '../parts.ts';

/*
 * 00000 ident block · 00100 checksum block · 00200 vectors · 00400 program · 40000 calibration, its last 16 bytes free
 * 58000..7FFFF erased
 */
export const refObdOri: Protocol = {
  id: 1003,
  name: 'REF-OBD-ORI',
  ecuFamily: 'REF ECU 1003',
  families: kessv2AndKess3,
  components: [
    {
      name: 'obd',
      sizes: [0x80000],
      ident: identBlock(0x0, 1003),
      checksums: [
        stored('PROGRAM', span(0x200, 0x40000), sum(4, 'le', 32), 0x100, 'u32le'),
        {
          // The boot loader compares the calibration with a CRC in its own, unreadable memory.
          name: 'CALIBRATION-AS-BEFORE',
          ranges: [span(0x40000, 0x58000)],
          algorithm: crc32IsoHdlc,
          result: {
            kind: 'target',
            value: { asIn: 'original' },
            free: { at: 0x57ff0, length: 4 },
          },
          needsOriginal: true,
        },
        {
          // The ECU adds its own number before it stores the sum.
          name: 'MAPS-WITH-DEVICE-NUMBER',
          ranges: [span(0x40000, 0x50000)],
          algorithm: sum(2, 'be', 32),
          result: {
            kind: 'store',
            at: 0x108,
            type: 'u32be',
            transform: { learnedFrom: 'original' },
          },
          needsOriginal: true,
        },
      ],
      areas: [
        area('vectors', 'vectors', 0x200, 0x400),
        area('program', 'code', 0x400, 0x40000),
        area('calibration', 'calibration', 0x40000, 0x57ff0),
      ],
      fixedNumbers: [{ at: 0x108, type: 'u32be', values: ['5eed1003'] }],
      protectedRanges: [span(0x0, identBytes), span(0x200, 0x400)],
    },
  ],
};
