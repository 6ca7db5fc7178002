/** The calls of the K-TAG page and the shape of what they answer. */
import * as z from 'zod/mini';
import { file, guid, json, optionalGuid, route } from './api.ts';
import { ktagComponentTypes } from './families.ts';
import { contextData, started, userFlow } from './operations.ts';
import {
  activeOperation,
  decodedComponent,
  deviceChoice,
  encodeRefusals,
  entryFields,
  entryRefusals,
  notificationDetailsRoute,
  notificationInfo,
  slotUploadRefusals,
  uploadedFile,
  uploadRefusals,
} from './recoding.ts';

const text = z.nullable(z.string());

/** What the backup says of the ECU, by the labels of the panel. */
export const information = z.object({
  PRT: text,
  FAMILY: text,
  SN: text,
  HW: text,
  SW: text,
  'SW upd': text,
  Spare: text,
  Impianto: text,
  Engine: text,
  VIN: text,
});

/** `decodedFileURL` is the zip of all components. */
export const decodeResult = z.object({
  ktagSlotGUID: guid,
  ktagSlotID: guid,
  name: z.string(),
  readFileName: z.string(),
  /** Bytes; null of reads that were decoded before it was recorded. */
  readFileSize: z.nullable(z.number()),
  decodedFileURL: z.string(),
  decodedFileName: z.string(),
  components: z.array(decodedComponent(ktagComponentTypes)),
  idFileURL: z.string(),
  idFileName: z.string(),
  information,
  checksumRules: z.number(),
  warnings: z.array(z.string()),
});
export type DecodeResult = z.infer<typeof decodeResult>;

export const entry = route('GET', '/api/ktag', {
  summary:
    'Whether the caller may work with K-TAG, with what rights, and what of his is still running.',
  access: 'session',
  query: deviceChoice,
  answer: json(z.object({ ...entryFields, ktagActiveFileSlotCreationResult: activeOperation })),
  refusals: entryRefusals,
});

export const uploadReadBackup = route('POST', '/api/ktag/upload-read-backup', {
  summary: 'Uploads a read backup and starts its decoding.',
  access: 'session',
  actsForCustomerCode: true,
  query: deviceChoice,
  file: { field: 'readFile' },
  fields: z.object({ userFlow: z.optional(userFlow) }),
  answer: started,
  refusals: uploadRefusals,
});

export const uploadModifiedComponentFile = route(
  'PUT',
  '/api/ktag/upload-modified-component-file/{slotGUID}/{componentType}',
  {
    summary: 'Uploads the modified image of one component; it is checked against the backup.',
    access: 'session',
    actsForCustomerCode: true,
    params: z.object({ slotGUID: z.string(), componentType: z.string() }),
    file: { field: 'file' },
    answer: json(uploadedFile),
    refusals: slotUploadRefusals,
  },
);

export const encodeBackup = route('POST', '/api/ktag/encode-backup', {
  summary: 'Starts encoding; a component without a modified file is taken from the backup.',
  access: 'session',
  actsForCustomerCode: true,
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
  refusals: encodeRefusals,
});

export const notificationDetails = notificationDetailsRoute('ktag');

export const downloadAllFiles = route('GET', '/ktag/slots/{id}/files/', {
  summary: 'All components of a backup as components.zip, streamed.',
  access: 'session-or-ticket',
  params: z.object({ id: z.string() }),
  query: z.object({ fileType: z.optional(z.string()), ticket: z.optional(z.string()) }),
  answer: file('application/zip'),
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
});
