/** 3003 REF-BENCH-BLOCKS: flash in blocks with a CRC each, another CRC over the block CRCs, and a target over all. */

import { crc32Autosar, crc32IsoHdlc } from '../../checksum/crc-catalog.ts';
import type { ComponentSpec, Protocol } from '../shape.ts';
import { area, identBlock, identBytes, span, stored, target } from '../parts.ts';

/*
 * 000000 vectors · 000400 program, two blocks · 080000 calibration · 0B0000 ident block · 0B0100 checksum block
 * 0B0120 free bytes of the target · 0B0140..0FFFFF erased
 */
const flash: ComponentSpec = {
  name: 'flash',
  sizes: [0x100000],
  ident: identBlock(0xb0000, 3003),
  checksums: [
    target('WHOLE', span(0x0, 0xb0140), crc32IsoHdlc, '3003cafe', { at: 0xb0120, length: 4 }),
    stored('BLOCK-CRCS', span(0xb0100, 0xb010c), crc32Autosar, 0xb010c, 'u32le'),
    stored('BLOCK-1', span(0x0, 0x40000), crc32Autosar, 0xb0100, 'u32le'),
    stored('BLOCK-2', span(0x40000, 0x80000), crc32Autosar, 0xb0104, 'u32le'),
    stored('BLOCK-3', span(0x80000, 0xb0000), crc32Autosar, 0xb0108, 'u32le'),
  ],
  areas: [
    area('vectors', 'vectors', 0x0, 0x400),
    area('program', 'code', 0x400, 0x80000),
    area('calibration', 'calibration', 0x80000, 0xb0000),
  ],
  protectedRanges: [span(0x0, 0x400), span(0xb0000, 0xb0000 + identBytes)],
};

const eeprom: ComponentSpec = {
  name: 'eeprom',
  sizes: [0x2000, 0x4000],
  required: false,
  areas: [area('page', 'counters', 0x0, 0x800)],
  redundantPage: span(0x0, 0x800),
};

export const refBenchBlocks: Protocol = {
  id: 3003,
  name: 'REF-BENCH-BLOCKS',
  ecuFamily: 'REF ECU 3003',
  families: [{ family: 'kess3', modes: ['bootbench'] }],
  components: [flash, eeprom],
};
