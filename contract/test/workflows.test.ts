/** How operation records identify a workflow, and where a decode's result names its mode and images. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  describeWorkflow,
  families,
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

const withoutUtility = families.filter((family) => findWorkflow(family, 'utility') === null);
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
