/** Bosch ME9 and MED9: petrol engines, 2003 to 2010. */

import { boschHardware, type EcuFamily, fieldOf, kibibytes, onlyMatch } from '../ecu-family.ts';

const marker = 'Bosch.Common.RamLoader.Me9';
const hardware = {
  pattern: new RegExp(boschHardware.petrol, 'g'),
  area: [0, kibibytes(32)],
} as const;
/** The program number after a quotation mark, near 0x461D. */
const software = { pattern: /"(1037\d{6})/g, area: [0x4500, 0x4800] } as const;

export const boschMe9: EcuFamily = {
  id: 'bosch-me9',
  isValidated: false,
  find({ image, text }) {
    if (image.length !== kibibytes(2048) || !text.has(marker)) return null;
    return {
      name: text.has('MED9') ? 'Bosch MED9' : 'Bosch ME9',
      fields: [
        fieldOf('hardware', onlyMatch(text.find(hardware.pattern, hardware.area))),
        fieldOf('software', onlyMatch(text.find(software.pattern, software.area))),
      ],
    };
  },
};
