/** The names of KESS3's calls, and of the fields in them. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import {
  byComponent,
  decoded,
  decodedComponents,
  describeDecodedComponents,
  encodedOf,
  type EncodingApiFamily,
  findDecodedImage,
  idFile,
  modified,
  original,
} from '../families/encoding-api-family.ts';
import { type DecodeResult, kess3ComponentTypes } from '../families/kess3.ts';
import { componentsFileName } from '../file-names.ts';
import {
  type FamilyCalls,
  field,
  readComponent,
  type ReadResult,
  type Summaries,
  type WriteResult,
  sendingFields,
  writeComponents,
} from './calls.ts';

const bootBenchTypes = {
  Flash: 'flash',
  Micro: 'micro',
  EEPROM: 'eeprom',
  MapFile: 'mapfile',
} as const;

/** Writes the result of a decode. */
const writeResult: WriteResult<DecodeResult> = ({
  slotGUID,
  isOneImage,
  image,
  zip,
  components,
  ...decode
}) => ({
  kess3FileSlotGUID: slotGUID,
  obdDecodedFileURL: image?.url ?? null,
  obdDecodedFileName: image?.name ?? null,
  obdDecodedFileSize: image?.size ?? null,
  recognition: image?.recognition ?? null,
  decodedFileURL: isOneImage ? null : zip.url,
  decodedFileName: isOneImage ? null : zip.name,
  bootBenchComponents: isOneImage ? null : writeComponents(kess3ComponentTypes, components),
  wasOriginalFileFoundThroughVirtualReading: decode.wasOriginalFileFoundThroughVirtualReading,
  obdIsOriginalFileNeeded: decode.isOriginalFileNeeded,
  obdIsChecksumCorrectionNeeded: isOneImage && decode.isChecksumCorrectionNeeded,
  obdIsCVNCorrectionPossible: decode.isCVNCorrectionPossible,
});

const readResult: ReadResult<DecodeResult> = ({
  obdDecodedFileURL: imageURL,
  decodedFileURL: zipURL,
  ...decode
}) => ({
  slotGUID: decode.kess3FileSlotGUID,
  isOneImage: decode.information.Mode === 'OBD',
  image:
    imageURL === null
      ? null
      : {
          url: imageURL,
          name: decode.obdDecodedFileName ?? decode.name,
          size: decode.obdDecodedFileSize,
          recognition: decode.recognition ?? null,
        },
  zip: zipURL === null ? null : { url: zipURL, name: decode.decodedFileName ?? componentsFileName },
  components: (decode.bootBenchComponents ?? []).map(readComponent),
  wasOriginalFileFoundThroughVirtualReading: decode.wasOriginalFileFoundThroughVirtualReading,
  isOriginalFileNeeded: decode.obdIsOriginalFileNeeded,
  isChecksumCorrectionNeeded: decode.obdIsChecksumCorrectionNeeded,
  isCVNCorrectionPossible: decode.obdIsCVNCorrectionPossible,
});

const switches = {
  kess3FileSlotGUID: field.slot,
  willCorrectCVN: field.willCorrectCVN,
  willSkipChecksum: field.willSkipChecksum,
  willCorrectChecksums: field.willCorrectChecksums,
  ...sendingFields,
} as const;

/** KESS3's calls. */
export const calls = {
  read: { name: 'uploadReadFile', path: 'upload-read-file' },
  images: {
    uploadModifiedFile: {
      path: 'upload-modified-file',
      slot: 'slot',
      image: 'component',
      file: 'file',
      images: {
        mod: modified('obd'),
        ori: original,
        ...byComponent(bootBenchTypes, (type) => type, modified),
      },
    },
  },
  encodes: {
    encodeObdFile: {
      path: 'encode-obd-file',
      reads: 'image',
      reencodes: 'without-file',
      body: {
        ...switches,
        modifiedFileGUID: field.modified('obd'),
        originalFileGUID: field.original,
      },
    },
    encodeBootBenchFile: {
      path: 'encode-boot-bench-file',
      reads: 'components',
      body: {
        ...switches,
        FlashFileGUID: field.modified('flash'),
        MicroFileGUID: field.modified('micro'),
        EEPROMFileGUID: field.modified('eeprom'),
        MapFileGUID: field.modified('mapfile'),
        RemoveFlash: field.removal('flash'),
        RemoveMicro: field.removal('micro'),
        RemoveEEPROM: field.removal('eeprom'),
        RemoveMapFile: field.removal('mapfile'),
      },
    },
  },
  readResult,
} as const satisfies FamilyCalls;

/** What each call does, for the API document. */
const summaries: Summaries<typeof calls> = {
  uploadReadFile:
    'Uploads a read file (or a packed backup, with fromUtility) and starts decoding it.',
  uploadModifiedFile:
    'Uploads the modified (mod) or original (ori) OBD image, or the modified image of a component.',
  encodeObdFile:
    'Starts encoding an OBD image. If modifiedFileGUID is all zeros, the decoded image is encoded again.',
  encodeBootBenchFile:
    'Starts encoding a Boot/Bench read. Each component is modified, taken from the backup, or removed.',
};

/** KESS3 in the Encoding API. */
const encodingApi = (): EncodingApiFamily => ({
  decodePath: 'decode-read-file',
  decodeNumber: 5,
  slotField: 'kess3FileSlotGUID',
  encodedFileField: 'kess3FileGUID',
  uploadTypes: {
    OBDModified: modified('obd'),
    OBDOriginal: original,
    ...byComponent(bootBenchTypes, (type) => `BootBenchModified${type}`, modified),
  },
  fileTypes: {
    OBDDecoded: decoded('obd'),
    ...byComponent(bootBenchTypes, (type) => `BootBenchDecoded${type}`, decoded),
    OBDEncoded: encodedOf('obd'),
    BootBenchEncoded: encodedOf('bootbench'),
    IDFile: idFile,
  },
  encodes: {
    obd: {
      path: 'encode-obd-file',
      operationNumber: 6,
      fileFields: { modifiedFileGUID: modified('obd'), originalFileGUID: original },
      canCorrectCVN: true,
    },
    bootbench: {
      path: 'encode-boot-bench-file',
      operationNumber: 7,
      fileFields: {
        flashFileGUID: modified('flash'),
        microFileGUID: modified('micro'),
        eepromFileGUID: modified('eeprom'),
        mapFileGUID: modified('mapfile'),
      },
      canCorrectCVN: true,
    },
  },
  decodeResult: z.strictObject({
    kess3FileSlotGUID: guid,
    name: z.string(),
    kess3Mode: z.enum(['OBD', 'BootBench']),
    obdDecodedFileURL: z.nullable(z.string()),
    bootBenchComponents: z.nullable(decodedComponents),
    isCVNCorrectionPossible: z.boolean(),
    isChecksumCorrectionNeeded: z.boolean(),
  }),
  decodeFields: { mode: 'kess3Mode', image: 'obdDecoded', components: 'bootBenchComponents' },
  describeDecode: (read) => ({
    kess3FileSlotGUID: read.slotGUID,
    name: read.name,
    kess3Mode: read.mode === 'obd' ? 'OBD' : 'BootBench',
    obdDecodedFileURL: findDecodedImage(read),
    bootBenchComponents:
      read.mode === 'obd' ? null : describeDecodedComponents(read, bootBenchTypes),
    isCVNCorrectionPossible: read.isCVNCorrectionPossible,
    isChecksumCorrectionNeeded: read.isChecksumCorrectionNeeded,
  }),
});

/** KESS3's routes. Pages load only its calls. */
export const kess3 = { calls, summaries, writeResult, encodingApi };
