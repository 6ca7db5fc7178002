/** 1001 REF-OBD-512K: one image of 512 KiB read through the diagnostic socket, with sums, CRCs and a CVN. */

import { crc16Ibm3740, crc32IsoHdlc } from '../checksum/crc-catalogue.ts';
import type { ComponentSpec, Protocol } from './shape.ts';
import { area, identBlock, identBytes, span } from './parts.ts';

/*
 * 00000 vectors · 00200 boot code · 10000 program · 50000 calibration (compensation bytes at 5FFF0)
 * 60000 ident block · 60100 checksum block · 60140..7FFFF erased
 */
const identAt = 0x60000;

export const obdImage512K: ComponentSpec = {
  name: 'obd',
  sizes: [0x80000],
  required: true,
  ident: identBlock(identAt, 1001),
  checksums: {
    rules: [
      {
        name: 'BOOT',
        ranges: [span(0x0, 0x10000)],
        algorithm: crc16Ibm3740,
        result: { kind: 'store', at: 0x60100, type: 'u16be' },
      },
      {
        name: 'PROGRAM',
        ranges: [span(0x10000, 0x50000)],
        algorithm: { kind: 'sum', unit: 2, order: 'le', width: 32 },
        result: { kind: 'store', at: 0x60104, type: 'u32le', complementAt: 0x60108 },
      },
      {
        name: 'CALIBRATION',
        ranges: [span(0x50000, 0x60000)],
        algorithm: crc32IsoHdlc,
        result: { kind: 'store', at: 0x6010c, type: 'u32le' },
      },
      {
        name: 'CALIBRATION-SUM',
        ranges: [span(0x50000, 0x60000)],
        algorithm: { kind: 'sum', unit: 1, order: 'le', width: 16, start: '1001' },
        result: { kind: 'store', at: 0x60110, type: 'u16le', transform: 'neg' },
      },
      {
        name: 'IMAGE',
        ranges: [span(0x0, 0x60120)],
        algorithm: { kind: 'sum', unit: 4, order: 'be', width: 32 },
        result: { kind: 'store', at: 0x60120, type: 'u32be', transform: { minus: 'cafe1001' } },
      },
    ],
  },
  cvn: { calibration: span(0x50000, 0x60000), compensationAt: 0x5fff0 },
  areas: [
    area('vectors', 'vectors', 0x0, 0x200),
    area('boot', 'code', 0x200, 0x10000),
    area('program', 'code', 0x10000, 0x50000),
    area('calibration', 'calibration', 0x50000, 0x5fff0),
  ],
  protectedRanges: [span(0x0, 0x10000), span(identAt, identAt + identBytes)],
};

export const refObd512K: Protocol = {
  id: 1001,
  name: 'REF-OBD-512K',
  ecuFamily: 'REF ECU 1001',
  families: [
    { family: 'kessv2', modes: ['obd'] },
    { family: 'kess3', modes: ['obd'] },
  ],
  components: [obdImage512K],
  isVirtualReadingPossible: false,
  isCVNCorrectionPossible: true,
};
