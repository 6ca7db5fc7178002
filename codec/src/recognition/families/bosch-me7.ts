/** Bosch ME7: petrol engines, 1997 to 2008. Measured on 84 images. */

import type { RecognizedField } from '@recodery/contract/families/recognition';
import {
  boschHardware,
  boschSoftware,
  type EcuFamily,
  fieldOf,
  hasBytesAt,
  isPlausibleNumber,
  kibibytes,
  onlyMatch,
  type Scanned,
  textAt,
} from '../ecu-family.ts';
import type { TextMatch } from '../image-text.ts';

const sizes = [kibibytes(512), kibibytes(832), kibibytes(1024)];
/** Where the identification block is. */
const marker = 0x10000;
/** The texts follow in this block or the next one. */
const labels = [marker, marker + 0x10000] as const;
const numbers = [marker, marker + 0x20000] as const;

/** Family, variant, data set, program, data, and date; the length before it may look like a digit. */
const variant =
  /\d\d\/\d\/(ME7[\w.]{0,10})\/\w{1,6}\/([\w.]{3,12})\/\w{0,12}\/(?:[\w.+-]{1,16}\/){1,2}(\d{6})\//g;
const hardware = new RegExp(boschHardware.petrol, 'g');
const software = new RegExp(`^${boschSoftware}`);
/** The part number in 12 characters, the engine in 20, a version in 4. */
const label = /(?=([0-9][0-9A-Z]{2}\d{6}[A-Z ]{3})([ -~]{20})(V\d{3}|\d{4}| {4}))/g;
const partNumber = /^\w{9}[A-Z]{0,2} +$/;

/** What is between the two numbers of a pair. */
const separators = [[], [0x00], [0x20, 0x00]] as const;

function isFamily(scanned: Scanned): boolean {
  const third = scanned.image[marker + 2] ?? 0;
  // a printable third byte is ME1.5.5
  const isOlder = third >= 0x20 && third < 0x7f;
  return (
    sizes.includes(scanned.image.length) && hasBytesAt(scanned, marker, [0x5a, 0x5a]) && !isOlder
  );
}

/** The hardware number that is directly followed by a software number; null if there are several. */
function findPair(scanned: Scanned): RecognizedField[] {
  const pairs = scanned.text.find(hardware, numbers).flatMap(({ offset, text }) => {
    const end = offset + text.length;
    for (const separator of separators) {
      const at = end + separator.length;
      const next = hasBytesAt(scanned, end, separator) ? textAt(scanned, at, 10) : null;
      if (next !== null && software.test(next)) {
        return [{ hardware: { offset, text }, software: { offset: at, text: next } }];
      }
    }
    return [];
  });
  const [pair, ...others] = pairs;
  if (pair === undefined) return [];
  const isSame = others.every(
    (one) => one.hardware.text === pair.hardware.text && one.software.text === pair.software.text,
  );
  if (!isSame) return [];
  return (['hardware', 'software'] as const).map((name) => ({
    name,
    value: pair[name].text,
    ...pair[name],
  }));
}

function isLabel({ groups: [part = '', engine = ''] }: TextMatch): boolean {
  const hasEngine = engine.replace(/[^A-Za-z]/g, '').length >= 2;
  return partNumber.test(part) && hasEngine && isPlausibleNumber(part.trim());
}

/** The whole label: a pattern that looks ahead matches no characters of its own. */
function findLabel({ text }: Scanned): TextMatch | null {
  const found = onlyMatch(text.find(label, labels).filter(isLabel));
  return found && { ...found, text: found.groups.join('') };
}

export const boschMe7Family: EcuFamily = {
  id: 'bosch-me7',
  isValidated: true,
  find(scanned) {
    if (!isFamily(scanned)) return null;
    const isEnded = ({ offset, text }: TextMatch) => scanned.image[offset + text.length] === 0xff;
    const described = onlyMatch(scanned.text.find(variant).filter(isEnded));
    const labeled = findLabel(scanned);
    return {
      name: `Bosch ${described?.groups[0] ?? 'ME7'}`,
      fields: [
        ...findPair(scanned),
        fieldOf('calibration', described, 1),
        fieldOf('partNumber', labeled, 0),
        fieldOf('version', labeled, 2),
        fieldOf('engine', labeled, 1),
        fieldOf('date', described, 2),
      ],
    };
  },
};
