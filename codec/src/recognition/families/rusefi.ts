/** rusEFI, open firmware: its signature names branch, date, board and build. Measured on published firmware. */

import { type EcuFamily, fieldOf, onlyMatch } from '../ecu-family.ts';

const signature = /(rusEFI (?:[\w-]{1,24}\.)?\d{4}\.\d\d\.\d\d\.[\w-]{1,40}\.\d{1,10})/g;
const parts = /rusEFI (?:[\w-]{1,24}\.)?(\d{4}\.\d\d\.\d\d)\.([\w-]{1,40})\.\d{1,10}/g;

export const rusefi: EcuFamily = {
  id: 'rusefi',
  isValidated: true,
  find({ text }) {
    const whole = onlyMatch(text.find(signature));
    if (whole === null) return null;
    const named = onlyMatch(text.find(parts));
    return {
      name: 'rusEFI',
      fields: [
        fieldOf('hardware', named, 1),
        fieldOf('software', whole),
        fieldOf('date', named, 0),
      ],
    };
  },
};
