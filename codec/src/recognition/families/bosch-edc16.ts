/** Bosch EDC16: diesel engines, 2003 to 2010. */

import {
  boschHardware,
  type EcuFamily,
  fieldAt,
  fieldOf,
  hasBytesAt,
  kibibytes,
  onlyMatch,
} from '../ecu-family.ts';

/** Where the block with the software number can start, by the size of the image. */
const places: ReadonlyMap<number, readonly number[]> = new Map([
  [kibibytes(256), [0]],
  [kibibytes(512), [0]],
  // without the first 64 KiB
  [983_040, [0x30000]],
  [kibibytes(1024), [0x40000, 0xc0000, 0xd0000, 0x20000]],
  [kibibytes(2048), [0x40000, 0xc0000, 0x1c0000]],
]);
/** Its last digits may be hexadecimal. */
const software = /^10(?:37|39)[0-9A-F]{6}$/;
const variant = /(EDC16\w{0,8})\//g;
const hardware = new RegExp(boschHardware.diesel, 'g');

export const boschEdc16: EcuFamily = {
  id: 'bosch-edc16',
  isValidated: false,
  find(scanned) {
    const starts = places.get(scanned.image.length) ?? [];
    const blocks = starts.filter((start) => hasBytesAt(scanned, start + 0x3d, [0xde, 0xca, 0xfe]));
    const found = blocks.map((start) =>
      fieldAt(scanned, 'software', { offset: start + 0x10, length: 10 }, software),
    );
    const [first = null, ...others] = found.filter((field) => field !== null);
    const described = onlyMatch(scanned.text.find(variant));
    if (first === null) return null;
    const isOnly = others.every(({ value }) => value === first.value);
    return {
      name: `Bosch ${described?.groups[0] ?? 'EDC16'}`,
      fields: [fieldOf('hardware', onlyMatch(scanned.text.find(hardware))), isOnly ? first : null],
    };
  },
};
