/**
 * 2003 REF-KTAG-TABLE: flash whose blocks are listed in the image, and an EEPROM that stores an inverted second page.
 */

import { crc32c } from '../../checksum/crc-catalog.ts';
import type { RangeTable } from '../../checksum/scheme.ts';
import type { ComponentSpec, Protocol } from '../shape.ts';
import { area, copy, identBlock, identBytes, span, stored, storedBytes, sum } from '../parts.ts';

/* 00000 ident block · 00100 block table · 00180 checksum block · 00200 program · 80000 calibration · A0000.. erased */
// The last two entries of the table are unused: start and end are equal.
const blocks: RangeTable = {
  at: 0x100,
  count: 8,
  type: 'u32be',
  second: 'after',
  base: 0xa0000000,
};
const flash: ComponentSpec = {
  name: 'flash',
  sizes: [0x100000],
  ident: identBlock(0x0, 2003),
  checksums: [
    stored('FLASH-BLOCKS', { table: blocks }, crc32c, 0x180, 'u32be'),
    stored('FLASH-TABLE', span(0x100, 0x184), sum(2, 'be', 16), 0x184, 'u16be', {
      transform: { minus: '0' },
    }),
  ],
  areas: [
    area('program', 'code', 0x200, 0x80000),
    area('calibration', 'calibration', 0x80000, 0xa0000),
  ],
  fixedNumbers: [
    {
      at: 0x100,
      type: 'u32be',
      values: [
        ...['a0000200', 'a0020000', 'a0020000', 'a0040000', 'a0040000', 'a0080000'],
        ...['a0080000', 'a0090000', 'a0090000', 'a0098000', 'a0098000', 'a00a0000'],
        ...['a0000000', 'a0000000', 'a0000000', 'a0000000'],
      ],
    },
  ],
  protectedRanges: [span(0x0, identBytes)],
};

/* 000 page with its sum at 1FE · 200 the same page inverted · 400..7FF erased */
const eeprom: ComponentSpec = {
  name: 'eeprom',
  sizes: [0x800],
  checksums: [
    storedBytes('EEPROM-INVERTED-PAGE', span(0x0, 0x200), copy, 0x200, 'not'),
    stored('EEPROM-PAGE', span(0x0, 0x1fe), sum(1, 'le', 16), 0x1fe, 'u16be'),
  ],
  areas: [area('page', 'counters', 0x0, 0x1f0)],
  redundantPage: span(0x0, 0x200),
};

export const refKtagTable: Protocol = {
  id: 2003,
  name: 'REF-KTAG-TABLE',
  ecuFamily: 'REF ECU 2003',
  families: [{ family: 'ktag', modes: ['bootbench'] }],
  components: [flash, eeprom],
};
