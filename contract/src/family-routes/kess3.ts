/** The routes of the KESS3 and KESS3 utility pages and their response types. */
import * as z from 'zod/mini';
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
} from './encoding-api-declaration.ts';
import { anyCase, guid, json, optionalFlag, optionalGuid, queryFlag, route } from '../api.ts';
import { kess3ComponentTypes } from '../families/kess3.ts';
import { contextData, started, userFlow } from '../features/operations.ts';
import {
  activeOperation,
  deviceChoice,
  encodeRefusals,
  entryFields,
  entryCallRefusals,
  notificationDetailsRoute,
  notificationInfo,
  slotUploadRefusals,
  uploadedFile,
  uploadRefusals,
  willCorrectCVN,
  encodeQuery,
} from '../features/recoding.ts';
import { componentsRoute } from '../features/slots.ts';

/** Which KESS3 page calls: the recoding page, or the utility that unpacks and compacts. */
export const kess3Mode = z.enum(['recod', 'utility']);

export const entry = route('GET', '/api/kess3', {
  summary:
    'Returns whether the caller can use KESS3 in this mode, their rights, and their running operation.',
  access: 'session',
  query: z.object({ ...deviceChoice.shape, mode: z.optional(kess3Mode) }),
  answer: json(
    z.object({
      ...entryFields,
      kess3ActiveFileSlotCreationResult: activeOperation,
      kess3CanSkipChecksum: z.boolean(),
      kess3HasIsDebugFlag: z.boolean(),
    }),
  ),
  refusals: entryCallRefusals('kess3'),
});

export const uploadReadFile = route('POST', '/api/kess3/upload-read-file', {
  summary: 'Uploads a read file (or a packed backup, with fromUtility) and starts decoding it.',
  access: 'session',
  actsForCustomerCode: true,
  query: z.object({
    ...deviceChoice.shape,
    skipChecksum: queryFlag,
    hasDebugFlag: queryFlag,
    fromUtility: queryFlag,
  }),
  file: { field: 'readFile' },
  fields: z.object({ userFlow: z.optional(userFlow) }),
  answer: started,
  refusals: uploadRefusals('kess3'),
});

/** What an upload of an image contains: the modified or the original OBD image, or the modified one of a component. */
export const kess3Images = ['mod', 'ori', ...kess3ComponentTypes] as const;

export const uploadModifiedFile = route(
  'PUT',
  '/api/kess3/upload-modified-file/{slot}/{component}',
  {
    summary:
      'Uploads the modified (mod) or original (ori) OBD image, or the modified image of a component.',
    access: 'session',
    actsForCustomerCode: true,
    params: z.object({ slot: z.string(), component: anyCase(kess3Images) }),
    file: { field: 'file' },
    answer: json(uploadedFile),
    ...slotUploadRefusals('kess3'),
  },
);

const encodeSwitches = {
  kess3FileSlotGUID: guid,
  willCorrectCVN,
  willSkipChecksum: optionalFlag,
  contextData,
  notificationInfo,
};

export const encodeObdFile = route('POST', '/api/kess3/encode-obd-file', {
  summary:
    'Starts encoding an OBD image. If modifiedFileGUID is all zeros, the decoded image is encoded again.',
  access: 'session',
  actsForCustomerCode: true,
  query: encodeQuery,
  body: z.object({
    ...encodeSwitches,
    modifiedFileGUID: optionalGuid,
    originalFileGUID: optionalGuid,
  }),
  answer: started,
  ...encodeRefusals('kess3'),
});

export const encodeBootBenchFile = route('POST', '/api/kess3/encode-boot-bench-file', {
  summary:
    'Starts encoding a Boot/Bench read. Each component is modified, taken from the backup, or removed.',
  access: 'session',
  actsForCustomerCode: true,
  query: encodeQuery,
  body: z.object({
    ...encodeSwitches,
    FlashFileGUID: optionalGuid,
    MicroFileGUID: optionalGuid,
    EEPROMFileGUID: optionalGuid,
    MapFileGUID: optionalGuid,
    RemoveFlash: optionalFlag,
    RemoveMicro: optionalFlag,
    RemoveEEPROM: optionalFlag,
    RemoveMapFile: optionalFlag,
  }),
  answer: started,
  ...encodeRefusals('kess3'),
});

export const notificationDetails = notificationDetailsRoute('kess3');

export const downloadAllFiles = componentsRoute('kess3');

const bootBenchTypes = {
  Flash: 'flash',
  Micro: 'micro',
  EEPROM: 'eeprom',
  MapFile: 'mapfile',
} as const;

/** KESS3 in the Encoding API. */
export const encodingApi = {
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
} as const satisfies EncodingApiFamily;
