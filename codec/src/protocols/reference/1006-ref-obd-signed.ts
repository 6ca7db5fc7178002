/** 1006 REF-OBD-SIGNED: an ECU with a signed boot loader and a calibration with a digest. */

import { crc32IsoHdlc } from '../../checksum/crc-catalog.ts';
import type { Protocol } from '../shape.ts';
import {
  area,
  identBlock,
  identBytes,
  kessv2AndKess3,
  sha256,
  span,
  stored,
  storedBytes,
  sum,
} from '../parts.ts';

/*
 * 00000 vectors · 00400 boot code, the same in every image · 20000 its signature · 20040 program · 90000 calibration
 * (compensation bytes at BFFF0) · C0000 ident block · C0100 checksum block · then erased
 */
export const refObdSigned: Protocol = {
  id: 1006,
  name: 'REF-OBD-SIGNED',
  ecuFamily: 'REF ECU 1006',
  families: kessv2AndKess3,
  components: [
    {
      name: 'obd',
      sizes: [0x100000],
      ident: identBlock(0xc0000, 1006),
      checksums: [
        {
          // Signed once with the throwaway key in codec/test/protocols/protocols.test.ts; a tune of the boot loader is
          // refused.
          name: 'BOOT-SIGNATURE',
          ranges: [span(0x0, 0x20000)],
          algorithm: {
            kind: 'signature',
            name: 'ed25519',
            publicKey: 'MCowBQYDK2VwAyEAMKTiDkORMP9qtYYwWtM33JS+n2cpz604k0fY3iUu+mo=',
            length: 64,
          },
          result: { kind: 'store-bytes', at: 0x20000 },
        },
        stored('PROGRAM', span(0x20000, 0x90000), crc32IsoHdlc, 0xc0100, 'u32le'),
        storedBytes('CALIBRATION-DIGEST', span(0x90000, 0xc0000), sha256, 0xc0110),
        // Only a diagnostic service checks this one; the engine runs without it.
        stored('DIAGNOSTIC-SUM', span(0x90000, 0xc0000), sum(1, 'le', 32), 0xc0104, 'u32le', {
          required: false,
        }),
      ],
      cvn: { calibration: span(0x90000, 0xc0000), compensationAt: 0xbfff0 },
      areas: [
        { ...area('vectors', 'vectors', 0x0, 0x400), isFixed: true },
        { ...area('boot', 'code', 0x400, 0x20000), isFixed: true },
        area('program', 'code', 0x20040, 0x90000),
        area('calibration', 'calibration', 0x90000, 0xbfff0),
      ],
      fixedNumbers: [
        {
          at: 0x20000,
          type: 'u64be',
          values: [
            '688cc80b5d8a3854',
            'd6ac3f454417ff26',
            'e5b5aec69133633e',
            '506b6aec6d9eca75',
            '117942aa1ac4f13e',
            '04ea33b9bc13ce7b',
            '79108e2d90340e07',
            'b4a179bbee2b8307',
          ],
        },
      ],
      protectedRanges: [span(0x0, 0x20040), span(0xc0000, 0xc0000 + identBytes)],
    },
  ],
};
