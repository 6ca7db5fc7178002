/** KESSv2: one image, read through the diagnostic socket. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import { classicErrorNames, classicInternalErrorNames } from './classic-errors.ts';
import { recognitionField } from '../results.ts';
import type { FamilyDefinition, WorkflowDefinition } from './family.ts';
import { type InformationFields, informationOf } from './information.ts';

const text = z.nullable(z.string());

/** The read's information about the ECU. */
const facts = {
  protocolID: 'protocolID',
  protocolName: 'protocolName',
  serialNumber: 'serialNumber',
  hardware: 'hardware',
  software: 'software',
  softwareUpgrade: 'softwareUpgrade',
  spare: 'spare',
  softwareDate: 'softwareDate',
  imp: 'system',
  engine: 'engine',
  vin: 'vin',
  softwareVersion: 'softwareVersion',
} as const satisfies InformationFields;
export const information = informationOf(facts);

export const decodeResult = z.object({
  kessv2SlotGUID: guid,
  name: z.string(),
  readFileName: z.string(),
  /** Bytes; null for reads that were decoded before it was recorded. */
  readFileSize: z.nullable(z.number()),
  decodedFileURL: text,
  decodedFileName: text,
  decodedFileSize: z.nullable(z.number()),
  recognition: recognitionField,
  /** Null where the engine makes no ID file. */
  idFileURL: text,
  idFileName: text,
  wasOriginalFileFoundThroughVirtualReading: z.boolean(),
  isOriginalFileNeeded: z.boolean(),
  isChecksumCorrectionNeeded: z.boolean(),
  isCVNCorrectionPossible: z.boolean(),
  information,
  checksumRules: z.number(),
  warnings: z.array(z.string()),
});
export type DecodeResult = z.infer<typeof decodeResult>;

/** KESSv2's definition. */
export const kessv2 = {
  name: 'KESSv2',
  container: {
    number: 1,
    errorNames: classicErrorNames,
    internalErrorNames: classicInternalErrorNames,
    demoSlave: 'KV2-000007',
  },
  hasEncodingApi: true,
  operationTypes: { decode: 'KESSv2Decode', encode: 'KESSv2Encode' },
  encodedFileExtension: '.moc',
  componentTypes: [],
  modes: { obd: ['obd'] },
  mastersField: 'kessv2MasterDevicesSerialNumbers',
  noDevices: 'USER_NOT_AUTHORIZED',
  nameFormatField: 'encodedKESSv2FileNameFormat',
  nameFormatPath: '/api/preferences/encoded-kessv2-file-name-format',
  information: facts,
  decodeResult,
} as const satisfies FamilyDefinition;

export const kessv2Workflow = {
  family: 'kessv2',
  right: null,
  verbs: 'decode-encode',
  readKind: 'read-file',
  encodedKind: 'encoded-file',
} as const satisfies WorkflowDefinition;
