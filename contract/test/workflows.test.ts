/** How operation records identify a workflow, and where a decode's result names its mode and images. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  definitionOf,
  describeWorkflow,
  families,
  type Family,
  findWorkflow,
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

const withoutUtility = families.filter(
  (family) => findWorkflow(family, { isUtility: true }) === null,
);
test.each(withoutUtility)('%s has no utility: all its operations open its own page', (family) => {
  expect(readWorkflow(family, { isUtility: true })).toBe(family);
});

test.each(families)('the decode fields of %s exist in its result', (family) => {
  const { decodeFields, decodeResult } = encodingApiOf(family);
  const { mode, image, components } = decodeFields;
  const named = [mode, image && `${image}FileURL`, components];
  const schema = decodeResult instanceof z.ZodMiniObject ? decodeResult : null;
  expect(Object.keys(schema?.shape ?? {})).toEqual(
    expect.arrayContaining(named.filter((field) => field !== undefined)),
  );
});
