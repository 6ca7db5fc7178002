/** 2004 REF-KTAG-MIRROR: flash that stores its calibration twice and uses the copy whose checksum is right. */

import { crc32Bzip2 } from '../../checksum/crc-catalog.ts';
import type { ComponentSpec, Protocol } from '../shape.ts';
import { area, copy, identBlock, identBytes, span, stored, storedBytes, sum } from '../parts.ts';

/* 00000 vectors · 00100 ident block · 00200 program · 28000 calibration with its CRC at 2BFFC · 2C000 the same again · then erased */
const flash: ComponentSpec = {
  name: 'flash',
  sizes: [0x40000],
  ident: identBlock(0x100, 2004),
  checksums: [
    storedBytes('CALIBRATION-COPY', span(0x28000, 0x2c000), copy, 0x2c000),
    stored('CALIBRATION', span(0x28000, 0x2bffc), crc32Bzip2, 0x2bffc, 'u32be'),
    stored('PROGRAM', span(0x0, 0x27ff0), sum(2, 'be', 32), 0x27ff4, 'u32be', { transform: 'not' }),
  ],
  areas: [
    area('vectors', 'vectors', 0x0, 0x100),
    area('program', 'code', 0x200, 0x27ff0),
    area('calibration', 'calibration', 0x28000, 0x2bff0),
  ],
  protectedRanges: [span(0x0, 0x100 + identBytes)],
  redundantPage: span(0x28000, 0x2c000),
};

export const refKtagMirror: Protocol = {
  id: 2004,
  name: 'REF-KTAG-MIRROR',
  ecuFamily: 'REF ECU 2004',
  families: [{ family: 'ktag', modes: ['bootbench'] }],
  components: [flash],
};
