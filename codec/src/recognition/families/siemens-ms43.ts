/** Siemens MS43 (BMW). One software was at hand. */

import { type EcuFamily, fieldOf, kibibytes, onlyMatch } from '../ecu-family.ts';

/** The block with the hardware number, its serial number and the name of the family. */
const block = [0x3f00, 0x4100] as const;
const name = 'MS43';
const hardware = /5WK9\d{4,5}(?!\d)/g;
const software = /(657\d{7})--/g;
const dataSet = /(ca\w{4,8})\.DAT/gi;

export const siemensMs43: EcuFamily = {
  id: 'siemens-ms43',
  isValidated: false,
  find({ image, text }) {
    if (image.length !== kibibytes(512)) return null;
    // too short for a text of its own
    if (!Buffer.from(image.subarray(...block)).includes(name)) return null;
    return {
      name: 'Siemens MS43',
      fields: [
        fieldOf('hardware', onlyMatch(text.find(hardware, block))),
        fieldOf('software', onlyMatch(text.find(software))),
        fieldOf('calibration', onlyMatch(text.find(dataSet))),
      ],
    };
  },
};
