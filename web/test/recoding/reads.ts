/** Decoded reads for the tests of the recoding page: one image, one that needs its original, and one of components. */
import type { DecodedRead, Part } from '../../src/features/recoding/decoded-read.ts';

const link = (name: string) => ({ name, size: 4096, url: `/api/files/${name}` });

/** A part that is not required, with the given differences. */
export function part(name: string, differs: Partial<Part> = {}): Part {
  return {
    name,
    isNeeded: false,
    isRemovable: false,
    startsRemoved: false,
    decoded: link(name),
    ...differs,
  };
}

/** A KESSv2 read with its image. */
export const image: DecodedRead = {
  operationGUID: 'decode-1',
  slotGUID: 'slot-1',
  readFile: { name: 'read.kv2', size: 4200 },
  duration: 300,
  information: [{ label: 'protocolID', value: '1001' }],
  idFile: link('read.id'),
  shape: 'image',
  decodedFile: link('read.bin'),
  arrivesByItself: true,
  parts: [part('modified', { isNeeded: true })],
  isCVNCorrectionPossible: true,
  isReencodePossible: true,
  wasOriginalFoundThroughVirtualReading: false,
  recognized: [],
  checksumRules: 3,
  warnings: [],
};

/** An identification-only read: it has no image, so the original is required, and it cannot be encoded again. */
export const withoutImage: DecodedRead = {
  ...image,
  decodedFile: null,
  parts: [
    part('modified', { isNeeded: true, decoded: null }),
    part('original', { isNeeded: true, decoded: null }),
  ],
  isCVNCorrectionPossible: false,
  isReencodePossible: false,
};

/** A BootBench read: nothing is required, everything can be removed, EEPROM is removed initially. */
export const bootBench: DecodedRead = {
  ...image,
  shape: 'components',
  arrivesByItself: false,
  parts: [
    part('Flash', { isRemovable: true }),
    part('Micro', { isRemovable: true }),
    part('EEPROM', { isRemovable: true, startsRemoved: true }),
  ],
  isReencodePossible: false,
};

/** A K-TAG backup: nothing is required, nothing can be removed. */
export const backup: DecodedRead = {
  ...image,
  shape: 'components',
  parts: [part('flash'), part('eeprom')],
  isCVNCorrectionPossible: false,
  isReencodePossible: false,
};
