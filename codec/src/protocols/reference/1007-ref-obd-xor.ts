/** 1007 REF-OBD-XOR: a small old ECU with an exclusive or, a byte CRC and a sum that is inside its own range. */

import { crc8SaeJ1850 } from '../../checksum/crc-catalog.ts';
import type { Protocol } from '../shape.ts';
import { area, identBlock, identBytes, kessv2AndKess3, span, stored, sum, xor } from '../parts.ts';

/* 00000 vectors · 00100 program · 10000 calibration · 17F00 ident block · 18000 checksum block · then erased */
export const refObdXor: Protocol = {
  id: 1007,
  name: 'REF-OBD-XOR',
  ecuFamily: 'REF ECU 1007',
  families: kessv2AndKess3,
  components: [
    {
      name: 'obd',
      sizes: [0x20000],
      ident: identBlock(0x17f00, 1007),
      checksums: [
        stored('PROGRAM', span(0x0, 0x10000), xor(2, 'be', 'a55a'), 0x18000, 'u16be', {
          complementAt: 0x18002,
        }),
        stored('CALIBRATION', span(0x10000, 0x17f00), crc8SaeJ1850, 0x18004, 'u8'),
        // Sum and complement are inside the range: together they always add the same value.
        stored('ALL', span(0x0, 0x18010), sum(2, 'be', 16), 0x18008, 'u16be', {
          complementAt: 0x1800a,
        }),
      ],
      areas: [
        area('vectors', 'vectors', 0x0, 0x100),
        area('program', 'code', 0x100, 0x10000),
        area('calibration', 'calibration', 0x10000, 0x17f00),
      ],
      protectedRanges: [span(0x0, 0x100), span(0x17f00, 0x17f00 + identBytes)],
    },
  ],
};
