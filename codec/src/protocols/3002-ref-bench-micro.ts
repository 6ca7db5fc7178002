/** 3002 REF-BENCH-MICRO: an ECU that stores everything in one processor of 8 MiB, and a data flash of 32 KiB. */

import { crc32Autosar, crc32IsoHdlc } from '../checksum/crc-catalogue.ts';
import type { ComponentSpec, Protocol } from './shape.ts';
import { area, identBlock, identBytes, span } from './parts.ts';

/* 000000 vectors · 000800 boot code · 040000 program · 480000 calibration · 580000 ident block · 580100 checksum block · then erased */
const micro: ComponentSpec = {
  name: 'micro',
  sizes: [0x800000],
  required: true,
  ident: identBlock(0x580000, 3002),
  checksums: {
    rules: [
      {
        name: 'MICRO-BOOT',
        ranges: [span(0x0, 0x40000)],
        algorithm: crc32Autosar,
        result: { kind: 'store', at: 0x580100, type: 'u32be' },
      },
      {
        name: 'MICRO-PROGRAM',
        ranges: [span(0x40000, 0x480000)],
        algorithm: crc32IsoHdlc,
        result: { kind: 'store', at: 0x580104, type: 'u32be' },
      },
      {
        name: 'MICRO-CALIBRATION',
        ranges: [span(0x480000, 0x580000)],
        algorithm: { kind: 'sum', unit: 4, order: 'be', width: 32 },
        result: { kind: 'store', at: 0x580108, type: 'u32be', complementAt: 0x58010c },
      },
    ],
  },
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
  required: true,
  checksums: {
    rules: [
      {
        name: 'EEPROM-PAGE',
        ranges: [span(0x0, 0x1ffc)],
        algorithm: { kind: 'xor', unit: 4, order: 'le', start: 'ffffffff' },
        result: { kind: 'store', at: 0x1ffc, type: 'u32le' },
      },
      {
        name: 'EEPROM-SECOND-PAGE',
        ranges: [span(0x0, 0x2000)],
        algorithm: { kind: 'copy' },
        result: { kind: 'store-bytes', at: 0x2000 },
      },
    ],
  },
  areas: [area('page', 'counters', 0x0, 0x1ff0)],
  protectedRanges: [],
  redundantPage: span(0x0, 0x2000),
};

export const refBenchMicro: Protocol = {
  id: 3002,
  name: 'REF-BENCH-MICRO',
  ecuFamily: 'REF ECU 3002',
  families: [{ family: 'kess3', modes: ['bootbench'] }],
  components: [micro, eeprom],
  isVirtualReadingPossible: false,
  isCVNCorrectionPossible: false,
};
