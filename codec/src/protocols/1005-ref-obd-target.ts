/**
 * 1005 REF-OBD-TARGET: an image whose ranges must have given values, with free bytes inside them; a switch turns one
 * off.
 */

import { crc16Arc, crc32Jamcrc } from '../checksum/crc-catalogue.ts';
import type { Protocol } from './shape.ts';
import { area, identBlock, identBytes, span } from './parts.ts';

/*
 * 00000 vectors · 00100 ident block · 00200 program, free bytes at its end · 28000 calibration, free bytes at its end
 * 30000 switches · 30010..3FFFF erased
 */
export const refObdTarget: Protocol = {
  id: 1005,
  name: 'REF-OBD-TARGET',
  ecuFamily: 'REF ECU 1005',
  families: [{ family: 'kessv2', modes: ['obd'] }],
  components: [
    {
      name: 'obd',
      sizes: [0x40000],
      required: true,
      ident: identBlock(0x100, 1005),
      checksums: {
        rules: [
          {
            name: 'PROGRAM-RESIDUE',
            ranges: [span(0x200, 0x28000)],
            algorithm: crc32Jamcrc,
            result: { kind: 'target', value: 'debb20e3', free: { at: 0x27ffc, length: 4 } },
          },
          {
            name: 'CALIBRATION-ALL-ONES',
            ranges: [span(0x28000, 0x30000)],
            algorithm: { kind: 'sum', unit: 2, order: 'be', width: 16 },
            result: { kind: 'target', value: 'ffff', free: { at: 0x2fffe, length: 2 } },
          },
          {
            name: 'CALIBRATION-CRC',
            ranges: [span(0x28000, 0x2fff0)],
            algorithm: crc16Arc,
            result: { kind: 'target', value: '0', free: { at: 0x2ffe0, length: 8 } },
          },
          {
            // Development units ship with this check disabled.
            name: 'VECTORS',
            ranges: [span(0x0, 0x100)],
            algorithm: { kind: 'xor', unit: 1, order: 'le' },
            result: { kind: 'store', at: 0x30004, type: 'u8' },
            disabledWhen: { at: 0x30000, type: 'u32be', equals: '0ff0ff00' },
          },
        ],
      },
      areas: [
        area('vectors', 'vectors', 0x0, 0x100),
        area('program', 'code', 0x200, 0x27ff0),
        area('calibration', 'calibration', 0x28000, 0x2ffe0),
      ],
      fixedNumbers: [{ at: 0x30000, type: 'u32be', values: ['0ff0ff00'] }],
      protectedRanges: [span(0x0, 0x100 + identBytes)],
    },
  ],
  isVirtualReadingPossible: false,
  isCVNCorrectionPossible: false,
};
