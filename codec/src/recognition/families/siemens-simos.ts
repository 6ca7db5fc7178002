/** Siemens and Continental Simos 8 to 18: a calibration block with the box code and the version of the data. */

import { type EcuFamily, fieldAt, kibibytes } from '../ecu-family.ts';

/** Where the calibration can be, by the size of the image. */
const places: ReadonlyMap<number, readonly (readonly [at: number, name: string])[]> = new Map([
  [
    kibibytes(2048),
    [
      [0x40000, 'Simos 8'],
      [0x1c0000, 'Simos 10'],
    ],
  ],
  [
    kibibytes(4096),
    [
      [0x40000, 'Simos 12'],
      [0x200000, 'Simos 16/18'],
      [0x220000, 'Simos 18'],
    ],
  ],
]);
const boxCode = /^(?=.{9,}[A-Z ]{0,2}$)[0-9][0-9A-Z]{2}\d{6}[A-Z]{0,2} {0,2}$/;
const version = /^(?:S85|SA\w|SC\w|SG\w)[0-9A-Z]{5}$/;

export const siemensSimos: EcuFamily = {
  id: 'siemens-simos',
  isValidated: false,
  find(scanned) {
    const candidates = places.get(scanned.image.length) ?? [];
    const found = candidates.flatMap(([at, name]) => {
      const part = fieldAt(scanned, 'partNumber', { offset: at + 0x60, length: 11 }, boxCode);
      const data = fieldAt(scanned, 'calibration', { offset: at + 0x23, length: 8 }, version);
      return part !== null && data !== null ? [{ name, fields: [data, part] }] : [];
    });
    return found.length === 1 ? (found[0] ?? null) : null;
  },
};
