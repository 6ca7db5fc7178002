/** AutoFlasher: an image of each memory. The serial number of the slave is in the read. */
import type { FamilyDefinition, WorkflowDefinition } from './family.ts';
import { memories } from './memories.ts';
import { memoriesFamily } from './memories-family.ts';

/** AutoFlasher's definition. */
export const autoflasher = memoriesFamily(
  {
    name: 'AutoFlasher',
    operationTypes: { decode: 'AutoFlasherDecode', encode: 'AutoFlasherEncode' },
    encodedFileExtension: '.atf',
    mastersField: 'autoflasherMasterDevicesSerialNumbers',
  },
  memories,
) satisfies FamilyDefinition;

export const autoflasherWorkflow = {
  family: 'autoflasher',
  right: null,
  verbs: 'decode-encode',
  readKind: 'read-file',
  encodedKind: 'encoded-file',
} as const satisfies WorkflowDefinition;
