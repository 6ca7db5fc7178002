/** K-TAG: components, read on the bench as a backup. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import { componentsResult } from './components-result.ts';
import { classicErrorNames, classicInternalErrorNames } from './classic-errors.ts';
import type { FamilyDefinition, WorkflowDefinition } from './family.ts';
import { type InformationFields, informationOf } from './information.ts';

/** The component types, as in paths and results. */
export const ktagComponentTypes = ['flash', 'micro', 'eeprom', 'tuningfile'] as const;

/** The backup's information about the ECU, keyed by the labels of the panel. */
const facts = {
  PRT: 'protocol',
  FAMILY: 'family',
  SN: 'serialNumber',
  HW: 'hardware',
  SW: 'software',
  'SW upd': 'softwareUpgrade',
  Spare: 'spare',
  Impianto: 'system',
  Engine: 'engine',
  VIN: 'vin',
} as const satisfies InformationFields;
export const information = informationOf(facts);

/** `decodedFileURL` is the zip of all components. */
export const decodeResult = z.object({
  ktagSlotGUID: guid,
  ktagSlotID: guid,
  ...componentsResult(ktagComponentTypes, information),
});
export type DecodeResult = z.infer<typeof decodeResult>;

/** K-TAG's definition. */
export const ktag = {
  name: 'K-TAG',
  container: {
    number: 2,
    errorNames: classicErrorNames,
    internalErrorNames: classicInternalErrorNames,
    demoSlave: 'KTG-000007',
  },
  hasEncodingApi: true,
  operationTypes: { decode: 'KTAGDecode', encode: 'KTAGEncode' },
  encodedFileExtension: '.unq',
  componentTypes: ktagComponentTypes,
  modes: { bootbench: ktagComponentTypes },
  mastersField: 'ktagMasterDevicesSerialNumbers',
  noDevices: 'USER_NOT_AUTHORIZED',
  nameFormatField: 'encodedKTAGFileNameFormat',
  information: facts,
  decodeResult,
} as const satisfies FamilyDefinition;

export const ktagWorkflow = {
  family: 'ktag',
  right: null,
  verbs: 'decode-encode',
  readKind: 'read-backup',
  encodedKind: 'encoded-backup',
} as const satisfies WorkflowDefinition;
