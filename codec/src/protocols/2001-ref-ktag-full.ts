/** 2001 REF-KTAG-FULL: a whole ECU on the bench: flash, the processor's own memory, EEPROM and perhaps a tuning file. */

import { crc16Ibm3740, crc32IsoHdlc, crc32Mpeg2 } from '../checksum/crc-catalogue.ts';
import type { ComponentSpec, Protocol } from './shape.ts';
import { area, identBlock, identBytes, span } from './parts.ts';

/* 000000 program · 110000 calibration · 150000 ident block · 150100 checksum block · then erased */
const flash: ComponentSpec = {
  name: 'flash',
  sizes: [0x200000],
  required: true,
  ident: identBlock(0x150000, 2001),
  checksums: {
    rules: [
      {
        name: 'FLASH-PROGRAM',
        ranges: [span(0x0, 0x110000)],
        algorithm: crc32IsoHdlc,
        result: { kind: 'store', at: 0x150100, type: 'u32be' },
      },
      {
        name: 'FLASH-CALIBRATION',
        ranges: [span(0x110000, 0x130000), span(0x130000, 0x150000)],
        algorithm: { kind: 'sum', unit: 4, order: 'be', width: 32, start: 'ffffffff' },
        result: { kind: 'store', at: 0x150104, type: 'u32be', complementAt: 0x150108 },
      },
      {
        name: 'FLASH-BLOCK',
        ranges: [span(0x150000, 0x150110)],
        algorithm: crc16Ibm3740,
        result: { kind: 'store', at: 0x150110, type: 'u16be' },
      },
    ],
  },
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
  required: true,
  checksums: {
    rules: [
      {
        name: 'MICRO-CODE',
        ranges: [span(0x0, 0x58000)],
        algorithm: crc32Mpeg2,
        result: { kind: 'store', at: 0x58000, type: 'u32be' },
      },
      {
        name: 'MICRO-WORDS',
        ranges: [span(0x0, 0x58000)],
        algorithm: { kind: 'xor', unit: 4, order: 'be' },
        result: { kind: 'store', at: 0x58004, type: 'u32be' },
      },
    ],
  },
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
  required: true,
  checksums: {
    rules: [
      {
        name: 'EEPROM-PAGE',
        ranges: [span(0x0, 0x3fe)],
        algorithm: crc16Ibm3740,
        result: { kind: 'store', at: 0x3fe, type: 'u16le' },
      },
      {
        name: 'EEPROM-SECOND-PAGE',
        ranges: [span(0x0, 0x400)],
        algorithm: { kind: 'copy' },
        result: { kind: 'store-bytes', at: 0x400 },
      },
    ],
  },
  areas: [area('page', 'counters', 0x0, 0x3f0)],
  protectedRanges: [],
  redundantPage: span(0x0, 0x400),
};

const tuningFile: ComponentSpec = {
  name: 'tuningfile',
  sizes: { min: 0x10, max: 0x40000 },
  required: false,
  areas: [],
  protectedRanges: [],
};

export const refKtagFull: Protocol = {
  id: 2001,
  name: 'REF-KTAG-FULL',
  ecuFamily: 'REF ECU 2001',
  families: [{ family: 'ktag', modes: ['bootbench'] }],
  components: [flash, micro, eeprom, tuningFile],
  isVirtualReadingPossible: false,
  isCVNCorrectionPossible: false,
};
