/** Speeduino, open firmware: two texts name the month of its release. Measured on published firmware. */

import { type EcuFamily, fieldOf, onlyMatch } from '../ecu-family.ts';

const signature = /speeduino (\d{6})/g;
const release = /Speeduino (\d{4}\.\d\d(?:\.\d{1,2}|-dev)?)/g;

export const speeduino: EcuFamily = {
  id: 'speeduino',
  isValidated: true,
  find({ text }) {
    const signed = onlyMatch(text.find(signature));
    if (signed === null) return null;
    const released = onlyMatch(text.find(release));
    const month = released?.groups[0]?.replace('.', '').slice(0, 6);
    return {
      name: 'Speeduino',
      fields: [fieldOf('software', signed), fieldOf('version', released)],
      isProven: month === signed.groups[0],
    };
  },
};
