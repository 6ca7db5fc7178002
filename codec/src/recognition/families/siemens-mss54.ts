/** Siemens MSS54 and MSS54HP (BMW M). Measured on 15 full images and 51 partial ones. */

import type { RecognizedField } from '@recodery/contract/families/recognition';
import { type EcuFamily, kibibytes, type Scanned, textAt } from '../ecu-family.ts';

const sizes = [kibibytes(64), kibibytes(512), kibibytes(1024)];
/** The number of the program, three times in a row, in the half of the master processor. */
const place = 0xbfb8;
const number = /^2113\d{8}[JP][0-9A-Z]{3}$/;
/** The other half is written with exchanged bytes: 5WK9 and four digits. */
const swappedHardware = /W59K\d{4}(?!\d)/g;

function findHardware({ text }: Scanned): RecognizedField | null {
  const found = text.find(swappedHardware).filter(({ offset }) => offset % 2 === 0);
  const [first, ...others] = found;
  if (first === undefined || others.some((one) => one.text !== first.text)) return null;
  const value = first.text.replace(/(.)(.)/g, '$2$1');
  return { name: 'hardware', value, offset: first.offset, text: first.text };
}

export const siemensMss54: EcuFamily = {
  id: 'siemens-mss54',
  isValidated: true,
  find(scanned) {
    if (!sizes.includes(scanned.image.length)) return null;
    const text = textAt(scanned, place, 48);
    const value = text?.slice(0, 16) ?? '';
    if (text !== value.repeat(3) || !number.test(value)) return null;
    return {
      name: 'Siemens MSS54',
      fields: [findHardware(scanned), { name: 'software', value, offset: place, text: value }],
    };
  },
};
