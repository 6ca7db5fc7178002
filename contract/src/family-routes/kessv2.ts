/** The routes of the KESSv2 page and their response types. */
import * as z from 'zod/mini';
import {
  decoded,
  encoded,
  type EncodingApiFamily,
  findDecodedImage,
  idFile,
  modified,
  original,
} from './encoding-api-declaration.ts';
import { guid, json, optionalGuid, route } from '../api.ts';
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

export const entry = route('GET', '/api/kessv2', {
  summary: 'Returns whether the caller can use KESSv2, their rights, and their running operation.',
  access: 'session',
  query: deviceChoice,
  answer: json(z.object({ ...entryFields, kessv2ActiveFileSlotCreationResult: activeOperation })),
  refusals: entryCallRefusals('kessv2'),
});

export const uploadReadFile = route('POST', '/api/kessv2/upload-read-file', {
  summary: 'Uploads a read file and starts decoding it.',
  access: 'session',
  actsForCustomerCode: true,
  query: deviceChoice,
  file: { field: 'readFile' },
  fields: z.object({ userFlow: z.optional(userFlow) }),
  answer: started,
  refusals: uploadRefusals('kessv2'),
});

const slotParams = z.object({ slotGUID: z.string() });

export const uploadModifiedFile = route('PUT', '/api/kessv2/upload-modified-file/{slotGUID}', {
  summary: 'Uploads the modified image, checks it against the read, and returns what changed.',
  access: 'session',
  actsForCustomerCode: true,
  params: slotParams,
  file: { field: 'modifiedFile' },
  answer: json(uploadedFile),
  ...slotUploadRefusals('kessv2'),
});

export const uploadOriginalFile = route('PUT', '/api/kessv2/upload-original-file/{slotGUID}', {
  summary: 'Uploads the original image, if the read or a checksum rule needs it.',
  access: 'session',
  actsForCustomerCode: true,
  params: slotParams,
  file: { field: 'originalFile' },
  answer: json(uploadedFile),
  ...slotUploadRefusals('kessv2'),
});

export const encodeFile = route('POST', '/api/kessv2/encode-file', {
  summary: 'Starts encoding the modified image for the slave that wrote the read file.',
  access: 'session',
  actsForCustomerCode: true,
  query: encodeQuery,
  body: z.object({
    kessv2FileSlotGUID: guid,
    modifiedFileGUID: optionalGuid,
    originalFileGUID: optionalGuid,
    willCorrectCVN,
    contextData,
    notificationInfo,
  }),
  answer: started,
  ...encodeRefusals('kessv2'),
});

export const reencodeDecodedFile = route('POST', '/api/kessv2/reencode-decoded-file', {
  summary: 'Starts encoding the unmodified decoded image, to restore the ECU.',
  access: 'session',
  actsForCustomerCode: true,
  query: encodeQuery,
  body: z.object({ kessv2FileSlotGUID: guid, willCorrectCVN, contextData, notificationInfo }),
  answer: started,
  ...encodeRefusals('kessv2'),
});

export const notificationDetails = notificationDetailsRoute('kessv2');

/** KESSv2 in the Encoding API. */
export const encodingApi = {
  decodePath: 'decode-read-file',
  decodeNumber: 1,
  slotField: 'kessv2FileSlotGUID',
  encodedFileField: 'kessv2FileGUID',
  uploadTypes: { Modified: modified('obd'), Original: original },
  fileTypes: { Decoded: decoded('obd'), Encoded: encoded, IDFile: idFile },
  encodes: {
    obd: {
      path: 'encode-file',
      operationNumber: 2,
      fileFields: { modifiedFileGUID: modified('obd'), originalFileGUID: original },
      canCorrectCVN: true,
    },
  },
  decodeResult: z.strictObject({
    kessv2FileSlotGUID: guid,
    name: z.string(),
    decodedFileURL: z.nullable(z.string()),
    isCVNCorrectionPossible: z.boolean(),
    isChecksumCorrectionNeeded: z.boolean(),
  }),
  decodeFields: { image: 'decoded' },
  describeDecode: (read) => ({
    kessv2FileSlotGUID: read.slotGUID,
    name: read.name,
    decodedFileURL: findDecodedImage(read),
    isCVNCorrectionPossible: read.isCVNCorrectionPossible,
    isChecksumCorrectionNeeded: read.isChecksumCorrectionNeeded,
  }),
} as const satisfies EncodingApiFamily;
