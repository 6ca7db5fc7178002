/**
 * 2001 REF-KTAG-FULL: a whole ECU on the bench: flash, the processor's own memory, EEPROM and optionally a TuningFile.
 */

import { crc16Ibm3740, crc32IsoHdlc, crc32Mpeg2 } from '../../checksum/crc-catalog.ts';
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

/* 000000 program · 110000 calibration · 150000 ident block · 150100 checksum block · then erased */
const flash: ComponentSpec = {
  name: 'flash',
  sizes: [0x200000],
  ident: identBlock(0x150000, 2001),
  checksums: [
    stored('FLASH-PROGRAM', span(0x0, 0x110000), crc32IsoHdlc, 0x150100, 'u32be'),
    {
      name: 'FLASH-CALIBRATION',
      ranges: [span(0x110000, 0x130000), span(0x130000, 0x150000)],
      algorithm: sum(4, 'be', 32, 'ffffffff'),
      result: { kind: 'store', at: 0x150104, type: 'u32be', complementAt: 0x150108 },
    },
    stored('FLASH-BLOCK', span(0x150000, 0x150110), crc16Ibm3740, 0x150110, 'u16be'),
  ],
  areas: [
    area('program', 'code', 0x0, 0x110000),
    area('calibration', 'calibration', 0x110000, 0x150000),
  ],
  protectedRanges: [span(0x150000, 0x150000 + identBytes)],
};

/* 00000 vectors · 00400 code · 58000 checksum block · then erased */
const micro: ComponentSpec = {
  name: 'micro',
  sizes: [0x80000],
  checksums: [
    stored('MICRO-CODE', span(0x0, 0x58000), crc32Mpeg2, 0x58000, 'u32be'),
    stored('MICRO-WORDS', span(0x0, 0x58000), xor(4, 'be'), 0x58004, 'u32be'),
  ],
  areas: [
    area('vectors', 'vectors', 0x0, 0x400),
    area('boot', 'code', 0x400, 0x8000),
    area('code', 'code', 0x8000, 0x58000),
  ],
  protectedRanges: [span(0x0, 0x8000)],
};

/* 000 page with its CRC at 3FE · 400 the same page again · 800..FFF erased */
const eeprom: ComponentSpec = {
  name: 'eeprom',
  sizes: [0x1000],
  checksums: [
    stored('EEPROM-PAGE', span(0x0, 0x3fe), crc16Ibm3740, 0x3fe, 'u16le'),
    storedBytes('EEPROM-SECOND-PAGE', span(0x0, 0x400), copy, 0x400),
  ],
  areas: [area('page', 'counters', 0x0, 0x3f0)],
  redundantPage: span(0x0, 0x400),
};

const tuningFile: ComponentSpec = {
  name: 'tuningfile',
  sizes: { min: 0x10, max: 0x40000 },
  required: false,
};

export const refKtagFull: Protocol = {
  id: 2001,
  name: 'REF-KTAG-FULL',
  ecuFamily: 'REF ECU 2001',
  families: [{ family: 'ktag', modes: ['bootbench'] }],
  components: [flash, micro, eeprom, tuningFile],
};
