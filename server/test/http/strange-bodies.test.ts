/** Long and deeply nested bodies, sent to every call that reads JSON: refused, never an internal error. */
import { idempotencyHeader } from '@recodery/contract/headers';
import { routes } from '@recodery/contract/routes';
import { afterAll, expect, test } from 'vitest';
import { startTestPortal } from '../fixtures/running-portal.ts';

const portal = await startTestPortal({}, false);
afterAll(() => portal.stop());
const anna = await portal.signIn('anna@demo.test');
const { client } = await portal.addClient();

const members = 130_900;
const longList = `[${'0,'.repeat(members - 1)}0]`;
const otherBodies = [
  `${'['.repeat(members)}${']'.repeat(members)}`,
  `${'{"a":'.repeat(40_000)}0${'}'.repeat(40_000)}`,
  `{${Array.from({ length: 20_000 }, (_, at) => `"${at}":0`).join()}}`,
];

const reading = [...routes].flatMap(([name, route]) =>
  route.parts.body === undefined ? [] : [{ name, route, fields: fieldsOf(route.parts.body) }],
);

/** The names of a body's fields. */
function fieldsOf(schema: object): readonly string[] {
  return 'shape' in schema ? Object.keys(schema.shape as object) : [];
}

test('there are calls that read JSON, and most of them name their fields', () => {
  expect(reading.length).toBeGreaterThan(10);
  expect(reading.filter(({ fields }) => fields.length > 0).length).toBeGreaterThan(8);
});

test.each(reading)('$name refuses them', async ({ route, fields }) => {
  const path = route.path.replace(/\{\w+\}/g, '01900000-0000-7000-8000-000000000001');
  const caller = route.parts.access === 'client' ? client : anna;
  const headers = { 'content-type': 'application/json', [idempotencyHeader]: 'strange' };
  // as the body, and as the value of each field
  const inFields = fields.map((field) => `{${JSON.stringify(field)}:${longList}}`);
  for (const body of [longList, ...otherBodies, ...inFields]) {
    const { status } = await caller.call(route.verb, path, { headers, body });
    expect([body.slice(0, 40), status < 500]).toEqual([body.slice(0, 40), true]);
  }
});
