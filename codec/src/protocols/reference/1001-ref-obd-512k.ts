/** 1001 REF-OBD-512K: one image of 512 KiB read through the diagnostic socket, with sums, CRCs and a CVN. */

import { crc16Ibm3740, crc32IsoHdlc } from '../../checksum/crc-catalog.ts';
import type { ComponentSpec, Protocol } from '../shape.ts';
import { area, identBlock, identBytes, kessv2AndKess3, span, stored, sum } from '../parts.ts';

/*
 * 00000 vectors · 00200 boot code · 10000 program · 50000 calibration (compensation bytes at 5FFF0)
 * 60000 ident block · 60100 checksum block · 60140..7FFFF erased
 */
const identAt = 0x60000;

export const obdImage512K: ComponentSpec = {
  name: 'obd',
  sizes: [0x80000],
  ident: identBlock(identAt, 1001),
  checksums: [
    stored('BOOT', span(0x0, 0x10000), crc16Ibm3740, 0x60100, 'u16be'),
    stored('PROGRAM', span(0x10000, 0x50000), sum(2, 'le', 32), 0x60104, 'u32le', {
      complementAt: 0x60108,
    }),
    stored('CALIBRATION', span(0x50000, 0x60000), crc32IsoHdlc, 0x6010c, 'u32le'),
    stored('CALIBRATION-SUM', span(0x50000, 0x60000), sum(1, 'le', 16, '1001'), 0x60110, 'u16le', {
      transform: 'neg',
    }),
    stored('IMAGE', span(0x0, 0x60120), sum(4, 'be', 32), 0x60120, 'u32be', {
      transform: { minus: 'cafe1001' },
    }),
  ],
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
  families: kessv2AndKess3,
  components: [obdImage512K],
};
