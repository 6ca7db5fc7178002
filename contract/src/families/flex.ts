/** MagicMotorsport Flex: an image of each memory. The directory lists the slaves, which its service needs to know. */
import type { FamilyDefinition, WorkflowDefinition } from './family.ts';
import { furtherMemories, namedMemories } from './memories.ts';
import { memoriesFamily } from './memories-family.ts';

/** The components of a read. */
export const flexMemories = [...namedMemories, ...furtherMemories] as const;

/** Flex's definition. */
export const flex = memoriesFamily(
  {
    name: 'Flex',
    operationTypes: { decode: 'FlexDecode', encode: 'FlexEncode' },
    encodedFileExtension: '.mmf',
    asksForSlave: true,
    mastersField: 'flexMasterDevicesSerialNumbers',
  },
  flexMemories,
) satisfies FamilyDefinition;

export const flexWorkflow = {
  family: 'flex',
  right: null,
  verbs: 'decode-encode',
  readKind: 'read-file',
  encodedKind: 'encoded-file',
} as const satisfies WorkflowDefinition;
