/** What the families share whose maker's service returns an image of each memory, and reports nothing else. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import type { ComponentName, FamilyDefinition } from './family.ts';
import { componentsResult } from './components-result.ts';
import { type InformationFields, informationOf } from './information.ts';

const facts = {
  slave: 'serialNumber',
  customerCode: 'customerCode',
  groupCode: 'groupCode',
} as const satisfies InformationFields;

/** What differs between them. */
type Own = Pick<
  FamilyDefinition,
  'name' | 'operationTypes' | 'encodedFileExtension' | 'asksForSlave' | 'mastersField'
>;

/** The definition of such a family with these memories. */
export function memoriesFamily<const O extends Own, const T extends readonly ComponentName[]>(
  own: O,
  types: T,
) {
  return {
    ...own,
    readFileExtension: own.encodedFileExtension,
    hasEncodingApi: true,
    sealing: { hoursValid: null },
    componentTypes: types,
    modes: { obd: ['obd'], bootbench: types },
    noDevices: 'USER_NOT_AUTHORIZED',
    nameFormatField: null,
    information: facts,
    decodeResult: z.object({
      slotGUID: guid,
      ...componentsResult(['image', ...types], informationOf(facts)),
    }),
  } as const;
}
