/** 2002 REF-KTAG-SMALL: a small ECU on the bench, flash of 512 KiB and an EEPROM of 512 bytes. */

import { crc16Modbus, crc8SaeJ1850 } from '../../checksum/crc-catalog.ts';
import type { ComponentSpec, Protocol } from '../shape.ts';
import { area, identBlock, identBytes, span, stored, sum } from '../parts.ts';

/* 00000 vectors · 00200 ident block · 00300 program · 48000 calibration · 58000 checksum block · then erased */
const flash: ComponentSpec = {
  name: 'flash',
  sizes: [0x80000],
  ident: identBlock(0x200, 2002),
  checksums: [
    stored('FLASH-PROGRAM', span(0x0, 0x48000), crc16Modbus, 0x58000, 'u16le', {
      complementAt: 0x58002,
    }),
    stored('FLASH-CALIBRATION', span(0x48000, 0x58000), sum(1, 'le', 32), 0x58004, 'u32le', {
      transform: 'neg',
    }),
  ],
  areas: [
    area('vectors', 'vectors', 0x0, 0x200),
    area('program', 'code', 0x300, 0x48000),
    area('calibration', 'calibration', 0x48000, 0x58000),
  ],
  protectedRanges: [span(0x0, 0x200 + identBytes)],
};

/* Two pages of 256 bytes, each with its own CRC as last byte, so that each can be trusted independently. */
const eeprom: ComponentSpec = {
  name: 'eeprom',
  sizes: [0x200],
  checksums: [
    stored('EEPROM-PAGE-1', span(0x0, 0xff), crc8SaeJ1850, 0xff, 'u8'),
    stored('EEPROM-PAGE-2', span(0x100, 0x1ff), crc8SaeJ1850, 0x1ff, 'u8'),
  ],
  areas: [area('page', 'counters', 0x0, 0xf0)],
  redundantPage: span(0x0, 0x100),
};

export const refKtagSmall: Protocol = {
  id: 2002,
  name: 'REF-KTAG-SMALL',
  ecuFamily: 'REF ECU 2002',
  families: [{ family: 'ktag', modes: ['bootbench'] }],
  components: [flash, eeprom],
};
