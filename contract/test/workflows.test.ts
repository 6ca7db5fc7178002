/** How operation records identify a workflow, and where a decode's result names its mode and images. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  apiFamilies,
  definitionOf,
  describeWorkflow,
  families,
  type Family,
  findWorkflow,
  isApiFamily,
  readWorkflow,
  workflowOf,
  workflows,
} from '../src/families/registry.ts';
import { encodingApiOf } from '../src/family-routes/registry.ts';

test.each(workflows)('an operation of %s leads to its workflow', (workflow) => {
  const { family, right } = workflowOf(workflow);
  const fields = describeWorkflow(workflow);
  expect(fields).toEqual({ isUtility: right === 'utility' });
  expect(readWorkflow(family, fields)).toBe(workflow);
});

const numbersOf = (family: Family) => {
  if (!isApiFamily(family)) return [];
  const { decodeNumber, encodes } = encodingApiOf(family);
  return [decodeNumber, ...Object.values(encodes).map(({ operationNumber }) => operationNumber)];
};
test.each([
  [
    'the header of a container',
    (family: Family) => [definitionOf(family).container?.number ?? []].flat(),
  ],
  ['the Encoding API', numbersOf],
])('no two families share a number in %s', (_where, listNumbers) => {
  const numbers = families.flatMap((family) => listNumbers(family));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(
    [...new Set(numbers)].toSorted((a, b) => a - b),
  );
});

const prefixOf = (serial: string) => serial.slice(0, 3);
test.each<[name: string, namesOf: (family: Family) => readonly unknown[]]>([
  ['the names of its operations', (family) => Object.values(definitionOf(family).operationTypes)],
  ['the field of its master devices', (family) => [definitionOf(family).mastersField]],
  ['the preference for its name format', (family) => [definitionOf(family).nameFormatField]],
  ['the extension of read files', (family) => [definitionOf(family).readFileExtension]],
  [
    'the first letters of serial numbers in the demo',
    (family) => [definitionOf(family).container?.demoSlave].map((one) => one && prefixOf(one)),
  ],
  [
    'the fields for its slots and encoded files in the Encoding API',
    (family) => {
      if (!isApiFamily(family)) return [];
      const { slotField, encodedFileField } = encodingApiOf(family);
      return [slotField, encodedFileField];
    },
  ],
])('each family has its own: %s', (_name, namesOf) => {
  const names = families.flatMap(namesOf).filter((name) => typeof name === 'string');
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  expect(names.length).toBeGreaterThan(0);
});

const withoutUtility = families.filter(
  (family) => findWorkflow(family, { isUtility: true }) === null,
);
test.each(withoutUtility)('%s has no utility: all its operations open its own page', (family) => {
  expect(readWorkflow(family, { isUtility: true })).toBe(family);
});

test.each(apiFamilies)('the decode fields of %s exist in its result', (family) => {
  const { decodeFields, decodeResult } = encodingApiOf(family);
  const { mode, image, components } = decodeFields;
  const named = [mode, image && `${image}FileURL`, components];
  const schema = decodeResult instanceof z.ZodMiniObject ? decodeResult : null;
  expect(Object.keys(schema?.shape ?? {})).toEqual(
    expect.arrayContaining(named.filter((field) => field !== undefined)),
  );
});
