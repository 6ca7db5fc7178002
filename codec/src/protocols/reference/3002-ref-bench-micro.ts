/** 3002 REF-BENCH-MICRO: an ECU that stores everything in one processor of 8 MiB, and a data flash of 32 KiB. */

import { crc32Autosar, crc32IsoHdlc } from '../../checksum/crc-catalog.ts';
import type { ComponentSpec, Protocol } from '../shape.ts';
import {
  area,
  copy,
  identBlock,
  identBytes,
  span,
  stored,
  storedBytes,
  sum,
  xor,
} from '../parts.ts';

/* 000000 vectors · 000800 boot code · 040000 program · 480000 calibration · 580000 ident block · 580100 checksum block · then erased */
const micro: ComponentSpec = {
  name: 'micro',
  sizes: [0x800000],
  ident: identBlock(0x580000, 3002),
  checksums: [
    stored('MICRO-BOOT', span(0x0, 0x40000), crc32Autosar, 0x580100, 'u32be'),
    stored('MICRO-PROGRAM', span(0x40000, 0x480000), crc32IsoHdlc, 0x580104, 'u32be'),
    stored('MICRO-CALIBRATION', span(0x480000, 0x580000), sum(4, 'be', 32), 0x580108, 'u32be', {
      complementAt: 0x58010c,
    }),
  ],
  areas: [
    area('vectors', 'vectors', 0x0, 0x800),
    area('boot', 'code', 0x800, 0x40000),
    area('program', 'code', 0x40000, 0x480000),
    area('calibration', 'calibration', 0x480000, 0x580000),
  ],
  protectedRanges: [span(0x0, 0x40000), span(0x580000, 0x580000 + identBytes)],
};

/* Two pages of 8 KiB, the second a copy of the first; an exclusive or at the end of the page. */
const eeprom: ComponentSpec = {
  name: 'eeprom',
  sizes: [0x8000],
  checksums: [
    stored('EEPROM-PAGE', span(0x0, 0x1ffc), xor(4, 'le', 'ffffffff'), 0x1ffc, 'u32le'),
    storedBytes('EEPROM-SECOND-PAGE', span(0x0, 0x2000), copy, 0x2000),
  ],
  areas: [area('page', 'counters', 0x0, 0x1ff0)],
  redundantPage: span(0x0, 0x2000),
};

export const refBenchMicro: Protocol = {
  id: 3002,
  name: 'REF-BENCH-MICRO',
  ecuFamily: 'REF ECU 3002',
  families: [{ family: 'kess3', modes: ['bootbench'] }],
  components: [micro, eeprom],
};
