/** The names of K-TAG's calls, and of the fields in them. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import {
  byComponent,
  decoded,
  decodedComponents,
  describeDecodedComponents,
  encoded,
  type EncodingApiFamily,
  idFile,
  modified,
} from '../families/encoding-api-family.ts';
import { type DecodeResult, ktagComponentTypes } from '../families/ktag.ts';
import {
  byName,
  type FamilyCalls,
  field,
  readComponent,
  type ReadResult,
  type Summaries,
  type WriteResult,
  sendingFields,
  writeComponents,
} from './calls.ts';

/** Writes the result of a decode. */
const writeResult: WriteResult<DecodeResult> = ({ slotGUID, zip, components }) => ({
  ktagSlotGUID: slotGUID,
  ktagSlotID: slotGUID,
  decodedFileURL: zip.url,
  decodedFileName: zip.name,
  components: writeComponents(ktagComponentTypes, components),
});

const readResult: ReadResult<DecodeResult> = ({
  ktagSlotGUID,
  decodedFileURL,
  decodedFileName,
  components,
}) => ({
  slotGUID: ktagSlotGUID,
  isOneImage: false,
  image: null,
  zip: { url: decodedFileURL, name: decodedFileName },
  components: components.map(readComponent),
  wasOriginalFileFoundThroughVirtualReading: false,
  isOriginalFileNeeded: false,
  isChecksumCorrectionNeeded: false,
  isCVNCorrectionPossible: false,
});

/** K-TAG's calls. */
export const calls = {
  read: { name: 'uploadReadBackup', path: 'upload-read-backup' },
  images: {
    uploadModifiedComponentFile: {
      path: 'upload-modified-component-file',
      slot: 'slotGUID',
      image: 'componentType',
      file: 'file',
      images: byName(ktagComponentTypes, modified),
    },
  },
  encodes: {
    encodeBackup: {
      path: 'encode-backup',
      reads: 'components',
      body: {
        ktagFileSlotGUID: field.slot,
        FlashFileGUID: field.modified('flash'),
        MicroFileGUID: field.modified('micro'),
        EEPROMFileGUID: field.modified('eeprom'),
        TuningFileGUID: field.modified('tuningfile'),
        willCorrectChecksums: field.willCorrectChecksums,
        ...sendingFields,
      },
    },
  },
  readResult,
} as const satisfies FamilyCalls;

const backupTypes = {
  Flash: 'flash',
  Micro: 'micro',
  EEPROM: 'eeprom',
  TuningFile: 'tuningfile',
} as const;

/** What each call does, for the API document. */
const summaries: Summaries<typeof calls> = {
  uploadReadBackup: 'Uploads a read backup and starts decoding it.',
  uploadModifiedComponentFile:
    'Uploads the modified image of one component and checks it against the backup.',
  encodeBackup: 'Starts encoding. A component without a modified file is taken from the backup.',
};

/** K-TAG in the Encoding API. */
const encodingApi = (): EncodingApiFamily => ({
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
});

/** K-TAG's routes. Pages load only its calls. */
export const ktag = { calls, summaries, writeResult, encodingApi };
