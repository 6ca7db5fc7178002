/** 3001 REF-BENCH-FULL: a large ECU on the bench, with an optional maps file that lists the maps of its flash. */

import { crc16Arc, crc32IsoHdlc } from '../../checksum/crc-catalog.ts';
import type { ComponentSpec, Protocol } from '../shape.ts';
import { area, identBlock, identBytes, sha256, span, stored, storedBytes, sum } from '../parts.ts';

/*
 * 000000 vectors · 000400 boot code · 040000 program · 220000 calibration (compensation bytes at 29FFF0)
 * 2A0000 ident block · 2A0100 checksum block · then erased
 */
const flash: ComponentSpec = {
  name: 'flash',
  sizes: [0x400000],
  ident: identBlock(0x2a0000, 3001),
  checksums: [
    stored('FLASH-PROGRAM', span(0x0, 0x220000), crc32IsoHdlc, 0x2a0100, 'u32le'),
    stored('FLASH-CALIBRATION', span(0x220000, 0x2a0000), sum(4, 'le', 64), 0x2a0108, 'u64le', {
      complementAt: 0x2a0110,
    }),
    storedBytes('FLASH-CALIBRATION-DIGEST', span(0x220000, 0x2a0000), sha256, 0x2a0120),
  ],
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
  checksums: [
    stored('MICRO-CODE', span(0x0, 0x140000), crc32IsoHdlc, 0x160000, 'u32le'),
    stored('MICRO-CONSTANTS', span(0x140000, 0x160000), sum(2, 'le', 16), 0x160004, 'u16le', {
      transform: 'neg',
    }),
  ],
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
  checksums: [
    stored('EEPROM-PAGE-1', span(0x0, 0xffe), crc16Arc, 0xffe, 'u16le'),
    stored('EEPROM-PAGE-2', span(0x1000, 0x1ffe), crc16Arc, 0x1ffe, 'u16le'),
  ],
  areas: [area('page', 'counters', 0x0, 0xff0)],
  redundantPage: span(0x0, 0x1000),
};

const mapFile: ComponentSpec = {
  name: 'mapfile',
  sizes: { min: 0x30, max: 0x10000 },
  required: false,
  format: { name: 'ref-map', appliesTo: 'flash' },
};

export const refBenchFull: Protocol = {
  id: 3001,
  name: 'REF-BENCH-FULL',
  ecuFamily: 'REF ECU 3001',
  families: [{ family: 'kess3', modes: ['bootbench'] }],
  components: [flash, micro, eeprom, mapFile],
};
