/** MagicMotorsport Flex: an image of each memory, which only the maker's service opens and seals. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import type { FamilyDefinition, WorkflowDefinition } from './family.ts';
import { componentsResult } from './components-result.ts';
import { type InformationFields, informationOf } from './information.ts';
import { furtherMemories, namedMemories } from './memories.ts';

/** The service reports nothing: the slave is the one that the directory lists. */
const facts = {
  slave: 'serialNumber',
  customerCode: 'customerCode',
  groupCode: 'groupCode',
} as const satisfies InformationFields;

/** The components of a read. */
export const flexMemories = [...namedMemories, ...furtherMemories] as const;

/** Flex's definition. */
export const flex = {
  name: 'Flex',
  hasEncodingApi: true,
  operationTypes: { decode: 'FlexDecode', encode: 'FlexEncode' },
  readFileExtension: '.mmf',
  encodedFileExtension: '.mmf',
  sealing: { hoursValid: null },
  asksForSlave: true,
  componentTypes: flexMemories,
  modes: { obd: ['obd'], bootbench: flexMemories },
  mastersField: 'flexMasterDevicesSerialNumbers',
  noDevices: 'USER_NOT_AUTHORIZED',
  nameFormatField: null,
  information: facts,
  decodeResult: z.object({
    slotGUID: guid,
    ...componentsResult(['image', ...flexMemories], informationOf(facts)),
  }),
} as const satisfies FamilyDefinition;

export const flexWorkflow = {
  family: 'flex',
  right: null,
  verbs: 'decode-encode',
  readKind: 'read-file',
  encodedKind: 'encoded-file',
} as const satisfies WorkflowDefinition;
