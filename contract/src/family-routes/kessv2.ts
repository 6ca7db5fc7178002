/** The names of KESSv2's calls, and of the fields in them. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import {
  decoded,
  encoded,
  type EncodingApiFamily,
  findDecodedImage,
  idFile,
  modified,
  original,
} from '../families/encoding-api-family.ts';
import type { DecodeResult } from '../families/kessv2.ts';
import {
  type FamilyCalls,
  field,
  type ReadResult,
  type Summaries,
  type WriteResult,
  sendingFields,
} from './calls.ts';

/** Writes the result of a decode. */
const writeResult: WriteResult<DecodeResult> = ({ slotGUID, image, ...decode }) => ({
  kessv2SlotGUID: slotGUID,
  decodedFileURL: image?.url ?? null,
  decodedFileName: image?.name ?? null,
  decodedFileSize: image?.size ?? null,
  recognition: image?.recognition ?? null,
  wasOriginalFileFoundThroughVirtualReading: decode.wasOriginalFileFoundThroughVirtualReading,
  isOriginalFileNeeded: decode.isOriginalFileNeeded,
  isChecksumCorrectionNeeded: decode.isChecksumCorrectionNeeded,
  isCVNCorrectionPossible: decode.isCVNCorrectionPossible,
});

const readResult: ReadResult<DecodeResult> = ({
  kessv2SlotGUID,
  decodedFileURL: url,
  decodedFileName,
  decodedFileSize: size,
  recognition = null,
  ...decode
}) => ({
  ...decode,
  slotGUID: kessv2SlotGUID,
  isOneImage: true,
  image: url === null ? null : { url, name: decodedFileName ?? decode.name, size, recognition },
  zip: null,
  components: [],
});

/** KESSv2's calls. */
export const calls = {
  read: { name: 'uploadReadFile', path: 'upload-read-file' },
  images: {
    uploadModifiedFile: {
      slot: 'slotGUID',
      path: 'upload-modified-file',
      file: 'modifiedFile',
      images: { modified: modified('obd') },
    },
    uploadOriginalFile: {
      slot: 'slotGUID',
      path: 'upload-original-file',
      file: 'originalFile',
      images: { original },
    },
  },
  encodes: {
    encodeFile: {
      path: 'encode-file',
      reads: 'image',
      body: {
        kessv2FileSlotGUID: field.slot,
        modifiedFileGUID: field.modified('obd'),
        originalFileGUID: field.original,
        willCorrectCVN: field.willCorrectCVN,
        willCorrectChecksums: field.willCorrectChecksums,
        ...sendingFields,
      },
    },
    reencodeDecodedFile: {
      path: 'reencode-decoded-file',
      reads: 'image',
      reencodes: 'always',
      body: {
        kessv2FileSlotGUID: field.slot,
        willCorrectCVN: field.willCorrectCVN,
        ...sendingFields,
      },
    },
  },
  readResult,
} as const satisfies FamilyCalls;

/** What each call does, for the API document. */
const summaries: Summaries<typeof calls> = {
  uploadReadFile: 'Uploads a read file and starts decoding it.',
  uploadModifiedFile:
    'Uploads the modified image, checks it against the read, and returns what changed.',
  uploadOriginalFile: 'Uploads the original image, if the read or a checksum rule needs it.',
  encodeFile: 'Starts encoding the modified image for the slave that wrote the read file.',
  reencodeDecodedFile: 'Starts encoding the unmodified decoded image, to restore the ECU.',
};

/** KESSv2 in the Encoding API. */
const encodingApi = (): EncodingApiFamily => ({
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
});

/** KESSv2's routes. Pages load only its calls. */
export const kessv2 = { calls, summaries, writeResult, encodingApi };
