/** 1004 REF-OBD-2M: one image of 2 MiB with its own tables of the ranges that its checksums cover; no CVN. */

import { crc32IsoHdlc } from '../../checksum/crc-catalog.ts';
import type { RangeTable } from '../../checksum/scheme.ts';
import type { Protocol } from '../shape.ts';
import { area, identBlock, identBytes, kessv2AndKess3, span, stored, sum, xor } from '../parts.ts';

/*
 * 000000 vectors · 000400 boot code · 020000 program · 120000 constants · 128000 calibration
 * 168000 ident block · 168100 program table · 168140 calibration table · 168180 checksum block · then erased
 */
const identAt = 0x168000;

const programTable: RangeTable = {
  at: 0x168104,
  count: { at: 0x168100, type: 'u32le' },
  type: 'u32le',
  second: 'last',
  base: 0x80000000,
};
const calibrationTable: RangeTable = {
  at: 0x168144,
  count: { at: 0x168140, type: 'u16be' },
  type: 'u32be',
  second: 'length',
};

export const refObd2M: Protocol = {
  id: 1004,
  name: 'REF-OBD-2M',
  ecuFamily: 'REF ECU 1004',
  families: kessv2AndKess3,
  components: [
    {
      name: 'obd',
      sizes: [0x200000],
      ident: identBlock(identAt, 1004),
      checksums: [
        stored('BOOT', span(0x0, 0x20000), crc32IsoHdlc, 0x168180, 'u32le', { transform: 'not' }),
        stored('PROGRAM-TABLE', { table: programTable }, crc32IsoHdlc, 0x168184, 'u32le'),
        stored(
          'CALIBRATION-TABLE',
          { table: calibrationTable },
          sum(4, 'be', 64),
          0x168188,
          'u64be',
          { complementAt: 0x168190 },
        ),
        stored('TABLES', span(0x168100, 0x168180), xor(4, 'le'), 0x168198, 'u32le'),
      ],
      areas: [
        area('vectors', 'vectors', 0x0, 0x400),
        area('boot', 'code', 0x400, 0x20000),
        area('program', 'code', 0x20000, 0x120000),
        area('constants', 'constants', 0x120000, 0x128000),
        area('calibration', 'calibration', 0x128000, 0x168000),
      ],
      fixedNumbers: [
        { at: 0x168100, type: 'u32le', values: ['3'] },
        {
          at: 0x168104,
          type: 'u32le',
          values: ['80020000', '8009ffff', '800a0000', '8011ffff', '80120000', '80127fff'],
        },
        { at: 0x168140, type: 'u16be', values: ['2'] },
        { at: 0x168144, type: 'u32be', values: ['128000', '20000', '148000', '20000'] },
      ],
      protectedRanges: [span(0x0, 0x20000), span(identAt, identAt + identBytes)],
    },
  ],
};
