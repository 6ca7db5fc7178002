/** 1001 REF-OBD-512K: one image of 512 KiB read through the diagnostic socket, with sums, CRCs and a CVN. */

import { crc16Ibm3740, crc32IsoHdlc } from '../crc-catalogue.ts';
import type { ComponentSpec, Protocol } from '../protocol-shape.ts';

/*
 * 00000 vectors · 00200 boot code · 10000 program · 50000 calibration (compensation bytes at 5FFF0)
 * 60000 ident block · 60100 checksum block · 60140..7FFFF erased
 */
export const obdImage512K: ComponentSpec = {
  name: 'obd',
  sizes: [0x80000],
  required: true,
  ident: {
    marker: { at: 0x60000, text: 'REF-IDENT 1001' },
    fields: [
      { name: 'hardware', at: 0x60010, length: 16 },
      { name: 'hardwareVersion', at: 0x60020, length: 8 },
      { name: 'software', at: 0x60028, length: 16 },
      { name: 'softwareVersion', at: 0x60038, length: 8 },
      { name: 'softwareUpgrade', at: 0x60040, length: 16 },
      { name: 'softwareDate', at: 0x60050, length: 8 },
      { name: 'spare', at: 0x60058, length: 16 },
      { name: 'system', at: 0x60068, length: 24 },
      { name: 'engine', at: 0x60080, length: 24 },
      { name: 'vin', at: 0x60098, length: 17 },
      { name: 'serialNumber', at: 0x600b0, length: 16 },
    ],
    ecus: [
      { name: 'REF ECU A1', hardware: 'REF-HW-1001-A' },
      { name: 'REF ECU A2', hardware: 'REF-HW-1001-B' },
      { name: 'REF ECU A3', hardware: 'REF-HW-1001-C' },
    ],
  },
  checksums: {
    rules: [
      {
        name: 'BOOT',
        ranges: [{ at: 0x0, length: 0x10000 }],
        algorithm: crc16Ibm3740,
        result: { kind: 'store', at: 0x60100, type: 'u16be' },
      },
      {
        name: 'PROGRAM',
        ranges: [{ at: 0x10000, length: 0x40000 }],
        algorithm: { kind: 'sum', unit: 2, order: 'le', width: 32 },
        result: { kind: 'store', at: 0x60104, type: 'u32le', complementAt: 0x60108 },
      },
      {
        name: 'CALIBRATION',
        ranges: [{ at: 0x50000, length: 0x10000 }],
        algorithm: crc32IsoHdlc,
        result: { kind: 'store', at: 0x6010c, type: 'u32le' },
      },
      {
        name: 'CALIBRATION-SUM',
        ranges: [{ at: 0x50000, length: 0x10000 }],
        algorithm: { kind: 'sum', unit: 1, order: 'le', width: 16, start: '1001' },
        result: { kind: 'store', at: 0x60110, type: 'u16le', transform: 'neg' },
      },
      {
        name: 'IMAGE',
        ranges: [{ at: 0x0, length: 0x60120 }],
        algorithm: { kind: 'sum', unit: 4, order: 'be', width: 32 },
        result: { kind: 'store', at: 0x60120, type: 'u32be', transform: { minus: 'cafe1001' } },
      },
    ],
  },
  cvn: { calibration: { at: 0x50000, length: 0x10000 }, compensationAt: 0x5fff0 },
  areas: [
    { name: 'vectors', kind: 'vectors', at: 0x0, length: 0x200 },
    { name: 'boot', kind: 'code', at: 0x200, length: 0xfe00 },
    { name: 'program', kind: 'code', at: 0x10000, length: 0x40000 },
    { name: 'calibration', kind: 'calibration', at: 0x50000, length: 0xfff0 },
  ],
  protectedRanges: [
    { at: 0x0, length: 0x10000 },
    { at: 0x60000, length: 0x100 },
  ],
};

export const refObd512K: Protocol = {
  id: 1001,
  name: 'REF-OBD-512K',
  families: [
    { family: 'kessv2', modes: ['obd'] },
    { family: 'kess3', modes: ['obd'] },
  ],
  components: [obdImage512K],
  isVirtualReadingPossible: false,
  isCVNCorrectionPossible: true,
};
