/** How operation records identify a workflow. */
import { expect, test } from 'vitest';
import {
  describeWorkflow,
  families,
  findWorkflow,
  readWorkflow,
  workflowOf,
  workflows,
} from '../src/families/registry.ts';

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
