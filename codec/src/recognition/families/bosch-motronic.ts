/** Bosch Motronic before ME7: a text with both numbers, written forward (M2, M3.8, M4, M5) or backward (M1, M3). */

import type { RecognizedField } from '@recodery/contract/families/recognition';
import {
  boschHardware,
  boschSoftware,
  type EcuFamily,
  type EcuMatch,
  fieldOf,
  isPlausibleNumber,
  kibibytes,
  onlyMatch,
  type Scanned,
} from '../ecu-family.ts';
import type { SearchArea } from '../image-text.ts';

const pair = `(${boschHardware.petrol}) {0,2}(${boschSoftware})`;

interface Forward {
  readonly sizes: readonly number[];
  /** The name of the variant, which another text contains. */
  readonly variant: RegExp;
  readonly name: string;
  readonly pattern: RegExp;
  area(size: number): SearchArea;
}

/** Variants whose text contains both numbers. */
const forward: readonly Forward[] = [
  {
    sizes: [kibibytes(128), kibibytes(256), kibibytes(512)],
    variant: /\/(M5\.\w{1,4}|M3\.8\w{0,3})\//g,
    name: 'Motronic M5/M3.8',
    pattern: new RegExp(`(?:MOTRONIC M[\\w.]{1,6}|MOTOR PMC|MOTR)[ -~]{1,6}?${pair}\\d\\d`, 'g'),
    area: () => [0xb800, 0xc800],
  },
  {
    sizes: [kibibytes(64), kibibytes(128)],
    variant: /\/(M4\.[34])\//g,
    name: 'Motronic M4',
    pattern: new RegExp(pair, 'g'),
    area: (size) => [size - kibibytes(8), size],
  },
  {
    sizes: [kibibytes(32), kibibytes(64), kibibytes(128)],
    variant: /"0000000(M2\.\d)/g,
    name: 'Motronic M2',
    pattern: new RegExp(`MOTOR[ -~]{0,24}?PMC ?${pair}`, 'g'),
    area: (size) => [size - kibibytes(20), size],
  },
];

function findForward({ image, text }: Scanned, one: Forward): EcuMatch | null {
  const { length } = image;
  const variant = onlyMatch(text.find(one.variant));
  if (!one.sizes.includes(length) || variant === null) return null;
  const numbers = onlyMatch(text.find(one.pattern, one.area(length)));
  return {
    name: `Bosch ${variant.groups[0] ?? one.name}`,
    fields: [fieldOf('hardware', numbers, 0), fieldOf('software', numbers, 1)],
  };
}

const backwardMarker = /"0000000(M1\.\d)|(?:1350000|1530000|0000000)(M3)/g;
const digits = /\d{20,40}/g;
const isHardware = new RegExp(`^${boschHardware.petrol}$`);
const isSoftware = new RegExp(`^${boschSoftware}$`);
const reverse = (text: string): string => [...text].reverse().join('');

/** The run of digits whose first ten, read backward, are the hardware, and whose next ten are the software. */
function findBackward({ image, text }: Scanned): EcuMatch | null {
  if (image.length > kibibytes(128)) return null;
  const variant = onlyMatch(text.find(backwardMarker));
  if (variant === null) return null;
  const runs = text.find(digits).flatMap(({ offset, text: run }) => {
    const [hardware, software] = [reverse(run.slice(0, 10)), reverse(run.slice(10, 20))];
    const isPair = isHardware.test(hardware) && isSoftware.test(software);
    return isPair && isPlausibleNumber(run.slice(0, 20))
      ? [{ offset, run, hardware, software }]
      : [];
  });
  const [first, ...others] = runs;
  const isOnly = others.every(({ run }) => run.slice(0, 20) === first?.run.slice(0, 20));
  const fields: RecognizedField[] =
    first === undefined || !isOnly
      ? []
      : [
          {
            name: 'hardware',
            value: first.hardware,
            offset: first.offset,
            text: first.run.slice(0, 10),
          },
          {
            name: 'software',
            value: first.software,
            offset: first.offset + 10,
            text: first.run.slice(10, 20),
          },
        ];
  const name = variant.groups.find((group) => group !== '');
  return { name: `Bosch ${name === 'M3' ? 'Motronic M3' : `Motronic ${name}`}`, fields };
}

export const boschMotronic: EcuFamily = {
  id: 'bosch-motronic',
  isValidated: false,
  find(scanned) {
    const found = [...forward.map((one) => findForward(scanned, one)), findBackward(scanned)];
    const [first = null, ...others] = found.filter((one) => one !== null);
    return others.length === 0 ? first : null;
  },
};
