/** The routes of the K-TAG page and their response types. */
import * as z from 'zod/mini';
import {
  byComponent,
  decoded,
  decodedComponents,
  describeDecodedComponents,
  encoded,
  type EncodingApiFamily,
  idFile,
  modified,
} from './encoding-api-declaration.ts';
import { anyCase, guid, json, optionalGuid, route } from '../api.ts';
import { ktagComponentTypes } from '../families/ktag.ts';
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
  encodeQuery,
} from '../features/recoding.ts';
import { componentsRoute } from '../features/slots.ts';

export const entry = route('GET', '/api/ktag', {
  summary: 'Returns whether the caller can use K-TAG, their rights, and their running operation.',
  access: 'session',
  query: deviceChoice,
  answer: json(z.object({ ...entryFields, ktagActiveFileSlotCreationResult: activeOperation })),
  refusals: entryCallRefusals('ktag'),
});

export const uploadReadBackup = route('POST', '/api/ktag/upload-read-backup', {
  summary: 'Uploads a read backup and starts decoding it.',
  access: 'session',
  actsForCustomerCode: true,
  query: deviceChoice,
  file: { field: 'readFile' },
  fields: z.object({ userFlow: z.optional(userFlow) }),
  answer: started,
  refusals: uploadRefusals('ktag'),
});

export const uploadModifiedComponentFile = route(
  'PUT',
  '/api/ktag/upload-modified-component-file/{slotGUID}/{componentType}',
  {
    summary: 'Uploads the modified image of one component and checks it against the backup.',
    access: 'session',
    actsForCustomerCode: true,
    params: z.object({ slotGUID: z.string(), componentType: anyCase(ktagComponentTypes) }),
    file: { field: 'file' },
    answer: json(uploadedFile),
    ...slotUploadRefusals('ktag'),
  },
);

export const encodeBackup = route('POST', '/api/ktag/encode-backup', {
  summary: 'Starts encoding. A component without a modified file is taken from the backup.',
  access: 'session',
  actsForCustomerCode: true,
  query: encodeQuery,
  body: z.object({
    ktagFileSlotGUID: guid,
    FlashFileGUID: optionalGuid,
    MicroFileGUID: optionalGuid,
    EEPROMFileGUID: optionalGuid,
    TuningFileGUID: optionalGuid,
    contextData,
    notificationInfo,
  }),
  answer: started,
  ...encodeRefusals('ktag'),
});

export const notificationDetails = notificationDetailsRoute('ktag');

export const downloadAllFiles = componentsRoute('ktag');

const backupTypes = {
  Flash: 'flash',
  Micro: 'micro',
  EEPROM: 'eeprom',
  TuningFile: 'tuningfile',
} as const;

/** K-TAG in the Encoding API. */
export const encodingApi = {
  decodePath: 'decode-read-backup',
  decodeNumber: 3,
  slotField: 'ktagFileSlotGUID',
  encodedFileField: 'ktagFileGUID',
  uploadTypes: byComponent(backupTypes, (type) => type, modified),
  fileTypes: {
    ...byComponent(backupTypes, (type) => `Decoded${type}`, decoded),
    Encoded: encoded,
    IDFile: idFile,
  },
  encodes: {
    bootbench: {
      path: 'encode-backup',
      operationNumber: 4,
      fileFields: {
        flashFileGUID: modified('flash'),
        microFileGUID: modified('micro'),
        eepromFileGUID: modified('eeprom'),
        tuningFileGUID: modified('tuningfile'),
      },
      canCorrectCVN: false,
    },
  },
  decodeResult: z.strictObject({
    ktagFileSlotGUID: guid,
    name: z.string(),
    components: decodedComponents,
  }),
  decodeFields: { components: 'components' },
  describeDecode: (read) => ({
    ktagFileSlotGUID: read.slotGUID,
    name: read.name,
    components: describeDecodedComponents(read, backupTypes),
  }),
} as const satisfies EncodingApiFamily;
