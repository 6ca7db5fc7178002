/** bFlash: one image, which only the maker's service opens and seals. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import type { FamilyDefinition, WorkflowDefinition } from './family.ts';
import { componentsResult } from './components-result.ts';
import { type InformationFields, informationOf } from './information.ts';

/** The service names the slave, and nothing else. */
const facts = {
  slave: 'serialNumber',
  customerCode: 'customerCode',
  groupCode: 'groupCode',
} as const satisfies InformationFields;

/** bFlash's definition. */
export const bflash = {
  name: 'bFlash',
  hasEncodingApi: true,
  operationTypes: { decode: 'BFlashDecode', encode: 'BFlashEncode' },
  readFileExtension: '.sbdc',
  encodedFileExtension: '.sbdc',
  sealing: { hoursValid: null },
  componentTypes: [],
  modes: { obd: ['obd'] },
  mastersField: 'bflashMasterDevicesSerialNumbers',
  noDevices: 'USER_NOT_AUTHORIZED',
  nameFormatField: null,
  information: facts,
  decodeResult: z.object({ slotGUID: guid, ...componentsResult(['image'], informationOf(facts)) }),
} as const satisfies FamilyDefinition;

export const bflashWorkflow = {
  family: 'bflash',
  right: null,
  verbs: 'decode-encode',
  readKind: 'read-file',
  encodedKind: 'encoded-file',
} as const satisfies WorkflowDefinition;
