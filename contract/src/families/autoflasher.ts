/** AutoFlasher: an image of each memory, which only the maker's service opens and seals. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import type { FamilyDefinition, WorkflowDefinition } from './family.ts';
import { componentsResult } from './components-result.ts';
import { type InformationFields, informationOf } from './information.ts';
import { memories } from './memories.ts';

/** The service reports nothing: the serial number of the slave is in the read. */
const facts = {
  slave: 'serialNumber',
  customerCode: 'customerCode',
  groupCode: 'groupCode',
} as const satisfies InformationFields;

/** AutoFlasher's definition. */
export const autoflasher = {
  name: 'AutoFlasher',
  hasEncodingApi: true,
  operationTypes: { decode: 'AutoFlasherDecode', encode: 'AutoFlasherEncode' },
  readFileExtension: '.atf',
  encodedFileExtension: '.atf',
  sealing: { hoursValid: null },
  componentTypes: memories,
  modes: { obd: ['obd'], bootbench: memories },
  mastersField: 'autoflasherMasterDevicesSerialNumbers',
  noDevices: 'USER_NOT_AUTHORIZED',
  nameFormatField: null,
  information: facts,
  decodeResult: z.object({
    slotGUID: guid,
    ...componentsResult(['image', ...memories], informationOf(facts)),
  }),
} as const satisfies FamilyDefinition;

export const autoflasherWorkflow = {
  family: 'autoflasher',
  right: null,
  verbs: 'decode-encode',
  readKind: 'read-file',
  encodedKind: 'encoded-file',
} as const satisfies WorkflowDefinition;
