/** Other Siemens control units that name themselves in a text: Simos 2 and 3, Simtec 56, PPD1, SID801 and SID803. */

import {
  type EcuFamily,
  type EcuMatch,
  fieldOf,
  kibibytes,
  onlyMatch,
  type Scanned,
} from '../ecu-family.ts';

interface Variant {
  readonly name: string;
  readonly sizes: readonly number[];
  /** One of them shows that the image is of this variant. */
  readonly markers: readonly RegExp[];
  readonly hardware: RegExp | null;
  readonly software: RegExp | null;
  readonly dataSet: RegExp | null;
}

const variants: readonly Variant[] = [
  {
    name: 'Siemens Simos 2/3',
    sizes: [kibibytes(256), kibibytes(512)],
    markers: [/SIMOS/g, /cas21\w/g],
    hardware: /5WP4\d{3,5}(?!\d)/g,
    software: null,
    dataSet: /(cas\w{4,8})\.DAT/gi,
  },
  {
    name: 'Siemens Simtec 56',
    sizes: [kibibytes(128)],
    markers: [/R[ST]\d{8}(?!\d)/g],
    hardware: /5WK9\d{3,5}(?!\d)/g,
    software: /(R[ST]\d{8})(?!\d)/g,
    dataSet: null,
  },
  {
    name: 'Siemens PPD1',
    sizes: [kibibytes(2048)],
    markers: [/PPD1\.\d/g],
    hardware: null,
    software: null,
    dataSet: /(CASN\w{2,6})\.?DAT/g,
  },
  {
    name: 'Siemens SID801/SID803',
    sizes: [kibibytes(512), kibibytes(1024), kibibytes(2048)],
    markers: [/CAP[MO]\w{4}/g],
    hardware: /5WS4\d{4,5}(?!\d)/g,
    software: null,
    dataSet: /(CAP[MO]\w{2,6})\.?DAT/g,
  },
];

function findVariant({ image, text }: Scanned, one: Variant): EcuMatch | null {
  if (!one.sizes.includes(image.length)) return null;
  if (!one.markers.some((marker) => text.find(marker).length > 0)) return null;
  const only = (pattern: RegExp | null) =>
    pattern === null ? null : onlyMatch(text.find(pattern));
  return {
    name: one.name,
    fields: [
      fieldOf('hardware', only(one.hardware)),
      fieldOf('software', only(one.software)),
      fieldOf('calibration', only(one.dataSet)),
    ],
  };
}

export const siemensTexts: EcuFamily = {
  id: 'siemens-texts',
  isValidated: false,
  find(scanned) {
    const found = variants.map((one) => findVariant(scanned, one)).filter((one) => one !== null);
    const numbered = found.filter(({ fields }) => fields.some((field) => field !== null));
    return numbered.length === 1 ? (numbered[0] ?? null) : null;
  },
};
