/** 3001 REF-BENCH-FULL: a large ECU on the bench, with an optional map file that lists the maps of its flash. */

import { crc16Arc, crc32IsoHdlc } from '../checksum/crc-catalogue.ts';
import type { ComponentSpec, Protocol } from './shape.ts';
import { area, identBlock, identBytes, span } from './parts.ts';

/*
 * 000000 vectors · 000400 boot code · 040000 program · 220000 calibration (compensation bytes at 29FFF0)
 * 2A0000 ident block · 2A0100 checksum block · then erased
 */
const flash: ComponentSpec = {
  name: 'flash',
  sizes: [0x400000],
  required: true,
  ident: identBlock(0x2a0000, 3001),
  checksums: {
    rules: [
      {
        name: 'FLASH-PROGRAM',
        ranges: [span(0x0, 0x220000)],
        algorithm: crc32IsoHdlc,
        result: { kind: 'store', at: 0x2a0100, type: 'u32le' },
      },
      {
        name: 'FLASH-CALIBRATION',
        ranges: [span(0x220000, 0x2a0000)],
        algorithm: { kind: 'sum', unit: 4, order: 'le', width: 64 },
        result: { kind: 'store', at: 0x2a0108, type: 'u64le', complementAt: 0x2a0110 },
      },
      {
        name: 'FLASH-CALIBRATION-DIGEST',
        ranges: [span(0x220000, 0x2a0000)],
        algorithm: { kind: 'digest', name: 'sha-256' },
        result: { kind: 'store-bytes', at: 0x2a0120 },
      },
    ],
  },
  cvn: { calibration: span(0x220000, 0x2a0000), compensationAt: 0x29fff0 },
  areas: [
    area('vectors', 'vectors', 0x0, 0x400),
    area('boot', 'code', 0x400, 0x40000),
    area('program', 'code', 0x40000, 0x220000),
    area('calibration', 'calibration', 0x220000, 0x29fff0),
  ],
  protectedRanges: [span(0x0, 0x40000), span(0x2a0000, 0x2a0000 + identBytes)],
};

/* 000000 vectors · 000400 code · 140000 constants · 160000 checksum block · then erased */
const micro: ComponentSpec = {
  name: 'micro',
  sizes: [0x200000],
  required: true,
  checksums: {
    rules: [
      {
        name: 'MICRO-CODE',
        ranges: [span(0x0, 0x140000)],
        algorithm: crc32IsoHdlc,
        result: { kind: 'store', at: 0x160000, type: 'u32le' },
      },
      {
        name: 'MICRO-CONSTANTS',
        ranges: [span(0x140000, 0x160000)],
        algorithm: { kind: 'sum', unit: 2, order: 'le', width: 16 },
        result: { kind: 'store', at: 0x160004, type: 'u16le', transform: 'neg' },
      },
    ],
  },
  areas: [
    area('vectors', 'vectors', 0x0, 0x400),
    area('code', 'code', 0x400, 0x140000),
    area('constants', 'constants', 0x140000, 0x160000),
  ],
  protectedRanges: [span(0x0, 0x400)],
};

/* Two pages of 4 KiB, each with its own CRC, followed by a log. */
const eeprom: ComponentSpec = {
  name: 'eeprom',
  sizes: [0x10000],
  required: true,
  checksums: {
    rules: [
      {
        name: 'EEPROM-PAGE-1',
        ranges: [span(0x0, 0xffe)],
        algorithm: crc16Arc,
        result: { kind: 'store', at: 0xffe, type: 'u16le' },
      },
      {
        name: 'EEPROM-PAGE-2',
        ranges: [span(0x1000, 0x1ffe)],
        algorithm: crc16Arc,
        result: { kind: 'store', at: 0x1ffe, type: 'u16le' },
      },
    ],
  },
  areas: [area('page', 'counters', 0x0, 0xff0)],
  protectedRanges: [],
  redundantPage: span(0x0, 0x1000),
};

const mapFile: ComponentSpec = {
  name: 'mapfile',
  sizes: { min: 0x30, max: 0x10000 },
  required: false,
  areas: [],
  protectedRanges: [],
  format: { name: 'ref-map', appliesTo: 'flash' },
};

export const refBenchFull: Protocol = {
  id: 3001,
  name: 'REF-BENCH-FULL',
  ecuFamily: 'REF ECU 3001',
  families: [{ family: 'kess3', modes: ['bootbench'] }],
  components: [flash, micro, eeprom, mapFile],
  isVirtualReadingPossible: false,
  isCVNCorrectionPossible: true,
};
