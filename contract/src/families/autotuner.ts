/** AutoTuner: the maps of a control unit as one image, which only the maker's service opens and seals. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import type { FamilyDefinition, WorkflowDefinition } from './family.ts';
import { componentsResult } from './components-result.ts';
import { type InformationFields, informationOf } from './information.ts';

/** What the service reports of a read. */
const facts = {
  vehicle: 'family',
  ecu: 'system',
  engine: 'engine',
  slave: 'serialNumber',
  customerCode: 'customerCode',
  groupCode: 'groupCode',
} as const satisfies InformationFields;

/** AutoTuner's definition. */
export const autotuner = {
  name: 'AutoTuner',
  hasEncodingApi: true,
  operationTypes: { decode: 'AutoTunerDecode', encode: 'AutoTunerEncode' },
  readFileExtension: '.slave',
  encodedFileExtension: '.slave',
  // the slave's software refuses older files; one public source says after a day
  sealing: { hoursValid: 24 },
  componentTypes: [],
  modes: { obd: ['obd'] },
  mastersField: 'autotunerMasterDevicesSerialNumbers',
  noDevices: 'USER_NOT_AUTHORIZED',
  nameFormatField: null,
  information: facts,
  decodeResult: z.object({ slotGUID: guid, ...componentsResult(['image'], informationOf(facts)) }),
} as const satisfies FamilyDefinition;

export const autotunerWorkflow = {
  family: 'autotuner',
  right: null,
  verbs: 'decode-encode',
  readKind: 'read-file',
  encodedKind: 'encoded-file',
} as const satisfies WorkflowDefinition;
