/** KESS3: one image or several components, as the file specifies. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import { decodedComponent, recognitionField } from '../results.ts';
import type { FamilyDefinition, WorkflowDefinition } from './family.ts';
import { type InformationFields, informationOf } from './information.ts';

/** The component types of a BootBench read, as in paths and results. */
export const kess3ComponentTypes = ['Flash', 'Micro', 'EEPROM', 'MapFile'] as const;

const text = z.nullable(z.string());

/** The read's information about the ECU, by the labels of the panel. */
const facts = {
  Mode: 'mode',
  Cks: 'checksum',
  Protocol: 'protocol',
  Family: 'family',
  HW: 'hardware',
  'HW Ver.': 'hardwareVersion',
  SW: 'software',
  'SW Ver.': 'softwareVersion',
  'SW upg.': 'softwareUpgrade',
  Spare: 'spare',
  System: 'system',
  VIN: 'vin',
  Engine: 'engine',
  Recognized: 'recognized',
  SN: 'serialNumber',
  'Customer Code': 'customerCode',
  'Group Code': 'groupCode',
} as const satisfies InformationFields;
export const information = informationOf(facts);

/**
 * `obdDecodedFileURL` is set in OBD mode; `bootBenchComponents` and `decodedFileURL` (the zip of all components) in
 * BootBench mode.
 */
export const decodeResult = z.object({
  kess3FileSlotGUID: guid,
  name: z.string(),
  readFileName: z.string(),
  /** Bytes; null for reads that were decoded before it was recorded. */
  readFileSize: z.nullable(z.number()),
  /** Null where the engine makes no ID file. */
  idFileURL: text,
  idFileName: text,
  obdDecodedFileURL: text,
  obdDecodedFileName: text,
  obdDecodedFileSize: z.nullable(z.number()),
  /** Of the one image of an OBD read. */
  recognition: recognitionField,
  decodedFileURL: text,
  decodedFileName: text,
  bootBenchComponents: z.nullable(z.array(decodedComponent(kess3ComponentTypes))),
  wasOriginalFileFoundThroughVirtualReading: z.boolean(),
  obdIsOriginalFileNeeded: z.boolean(),
  obdIsChecksumCorrectionNeeded: z.boolean(),
  obdIsCVNCorrectionPossible: z.boolean(),
  information,
  checksumRules: z.number(),
  warnings: z.array(z.string()),
});
export type DecodeResult = z.infer<typeof decodeResult>;

/** The error names of KESS3; their texts can contain a `{0}` detail. */
const kess3ErrorNames = [
  'KESS3_PATH_OR_FILE_NOT_FOUND',
  'KESS3_FILE_IS_ARCHIVE',
  'KESS3_FILE_IS_KTAG_BACKUP',
  'KESS3_FILE_IS_KESSV2',
  'KESS3_FILE_NOT_RECOGNIZED',
  'KESS3_FILE_COMPATIBLE_WITH_KESS3',
  'KESS3_BAD_HEADER',
  'KESS3_GENERIC_ERROR_WITH_CODE',
  'KESS3_WRONG_MASTER_CODE',
  'KESS3_TOOL_NOT_FOUND',
  'KESS3_DECRYPT_ERROR',
  'KESS3_ENCRYPT_ERROR',
  'KESS3_COMPONENT_READ_ERROR',
  'KESS3_UNPACK_BACKUP_ERROR',
  'KESS3_COMPACT_BACKUP_ERROR',
  'KESS3_PROTOCOL_NOT_FOUND',
  'KESS3_INFO_RETRIEVAL_ERROR',
  'KESS3_MAPS_FILE_ABSENT_IN_PROTOCOL',
  'KESS3_MAPS_FILE_PROCESSING_ERROR',
  'KESS3_CHECKSUM_ERROR',
  'KESS3_DECODED_WITH_CHECKSUM_ERROR',
  'KESS3_VIRTUAL_READING_NOT_SUPPORTED',
] as const;

/** KESS3's definition. */
export const kess3 = {
  name: 'KESS3',
  container: {
    number: 3,
    errorNames: kess3ErrorNames,
    internalErrorNames: [
      'KESS3_GENERIC_ERROR_WITH_CODE',
      'KESS3_ENCRYPT_ERROR',
      'KESS3_COMPACT_BACKUP_ERROR',
    ],
    demoSlave: 'KS3-000042',
  },
  hasEncodingApi: true,
  operationTypes: { decode: 'KESS3Decode', encode: 'KESS3Encode' },
  encodedFileExtension: '.moc',
  componentTypes: kess3ComponentTypes,
  modes: { obd: ['obd'], bootbench: ['flash', 'micro', 'eeprom', 'mapfile'] },
  mastersField: 'kess3MasterDevicesSerialNumbers',
  noDevices: 'USER_NOT_AUTHORIZED_KESS3',
  nameFormatField: 'encodedKESS3FileNameFormat',
  information: facts,
  decodeResult,
} as const satisfies FamilyDefinition;

export const kess3Workflow = {
  family: 'kess3',
  right: 'recod',
  verbs: 'decode-encode',
  readKind: 'read-file',
  encodedKind: 'encoded-file',
} as const satisfies WorkflowDefinition;
