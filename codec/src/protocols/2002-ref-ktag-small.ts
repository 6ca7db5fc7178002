/** 2002 REF-KTAG-SMALL: a small ECU on the bench, flash of 512 KiB and an EEPROM of 512 bytes. */

import { crc16Modbus, crc8SaeJ1850 } from '../checksum/crc-catalogue.ts';
import type { ComponentSpec, Protocol } from './shape.ts';
import { area, identBlock, identBytes, span } from './parts.ts';

/* 00000 vectors · 00200 ident block · 00300 program · 48000 calibration · 58000 checksum block · then erased */
const flash: ComponentSpec = {
  name: 'flash',
  sizes: [0x80000],
  required: true,
  ident: identBlock(0x200, 2002),
  checksums: {
    rules: [
      {
        name: 'FLASH-PROGRAM',
        ranges: [span(0x0, 0x48000)],
        algorithm: crc16Modbus,
        result: { kind: 'store', at: 0x58000, type: 'u16le', complementAt: 0x58002 },
      },
      {
        name: 'FLASH-CALIBRATION',
        ranges: [span(0x48000, 0x58000)],
        algorithm: { kind: 'sum', unit: 1, order: 'le', width: 32 },
        result: { kind: 'store', at: 0x58004, type: 'u32le', transform: 'neg' },
      },
    ],
  },
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
  required: true,
  checksums: {
    rules: [
      {
        name: 'EEPROM-PAGE-1',
        ranges: [span(0x0, 0xff)],
        algorithm: crc8SaeJ1850,
        result: { kind: 'store', at: 0xff, type: 'u8' },
      },
      {
        name: 'EEPROM-PAGE-2',
        ranges: [span(0x100, 0x1ff)],
        algorithm: crc8SaeJ1850,
        result: { kind: 'store', at: 0x1ff, type: 'u8' },
      },
    ],
  },
  areas: [area('page', 'counters', 0x0, 0xf0)],
  protectedRanges: [],
  redundantPage: span(0x0, 0x100),
};

export const refKtagSmall: Protocol = {
  id: 2002,
  name: 'REF-KTAG-SMALL',
  ecuFamily: 'REF ECU 2002',
  families: [{ family: 'ktag', modes: ['bootbench'] }],
  components: [flash, eeprom],
  isVirtualReadingPossible: false,
  isCVNCorrectionPossible: false,
};
