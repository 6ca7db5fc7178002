/**
 * 1005 REF-OBD-TARGET: an image whose ranges must have given values, with free bytes inside them; a switch turns one
 * off.
 */

import { crc16Arc, crc32Jamcrc } from '../../checksum/crc-catalog.ts';
import type { Protocol } from '../shape.ts';
import { area, identBlock, identBytes, span, stored, sum, target, xor } from '../parts.ts';

/*
 * 00000 vectors · 00100 ident block · 00200 program, free bytes at its end · 28000 calibration, free bytes at its end
 * 30000 switches · 30010..3FFFF erased
 */
export const refObdTarget: Protocol = {
  id: 1005,
  name: 'REF-OBD-TARGET',
  ecuFamily: 'REF ECU 1005',
  families: [{ family: 'kessv2', modes: ['obd'] }],
  components: [
    {
      name: 'obd',
      sizes: [0x40000],
      ident: identBlock(0x100, 1005),
      checksums: [
        target('PROGRAM-RESIDUE', span(0x200, 0x28000), crc32Jamcrc, 'debb20e3', {
          at: 0x27ffc,
          length: 4,
        }),
        target('CALIBRATION-ALL-ONES', span(0x28000, 0x30000), sum(2, 'be', 16), 'ffff', {
          at: 0x2fffe,
          length: 2,
        }),
        target('CALIBRATION-CRC', span(0x28000, 0x2fff0), crc16Arc, '0', {
          at: 0x2ffe0,
          length: 8,
        }),
        // Development units ship with this check disabled.
        stored('VECTORS', span(0x0, 0x100), xor(1, 'le'), 0x30004, 'u8', {
          disabledWhen: { at: 0x30000, type: 'u32be', equals: '0ff0ff00' },
        }),
      ],
      areas: [
        area('vectors', 'vectors', 0x0, 0x100),
        area('program', 'code', 0x200, 0x27ff0),
        area('calibration', 'calibration', 0x28000, 0x2ffe0),
      ],
      fixedNumbers: [{ at: 0x30000, type: 'u32be', values: ['0ff0ff00'] }],
      protectedRanges: [span(0x0, 0x100 + identBytes)],
    },
  ],
};
