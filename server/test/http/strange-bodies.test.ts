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
const bodies = [
  longList,
  `${'['.repeat(members)}${']'.repeat(members)}`,
  `${'{"a":'.repeat(40_000)}0${'}'.repeat(40_000)}`,
  `{${Array.from({ length: 20_000 }, (_, at) => `"${at}":0`).join()}}`,
];

/** Fields that several calls share are tried with one of them in each run, and so is one of the bodies. */
const isLong = process.env['RECODERY_LONG_TESTS'] === 'on';
const tried = new Set<unknown>();

const reading = [...routes].flatMap(([name, route]) =>
  route.parts.body === undefined ? [] : [{ name, route, fields: fieldsOf(route.parts.body) }],
);

/** The names of a body's fields that no call before it has with the same rules. */
function fieldsOf(schema: object): readonly string[] {
  const fields = 'shape' in schema ? Object.entries(schema.shape as object) : [];
  return fields.flatMap(([name, rules]) => {
    if (tried.has(rules) && !isLong) return [];
    tried.add(rules);
    return [name];
  });
}

test('there are calls that read JSON, and they name their fields', () => {
  expect(reading.length).toBeGreaterThan(50);
  expect(tried.size).toBeGreaterThan(140);
});

test.each(reading.map((one, at) => ({ ...one, at })))(
  '$name refuses them',
  async ({ route, fields, at }) => {
    const path = route.path.replace(/\{\w+\}/g, '01900000-0000-7000-8000-000000000001');
    const caller = route.parts.access === 'client' ? client : anna;
    const headers = { 'content-type': 'application/json', [idempotencyHeader]: 'strange' };
    // as the body, and as the value of each field
    const inFields = fields.map((field) => `{${JSON.stringify(field)}:${longList}}`);
    const whole = bodies.filter((_, index) => isLong || index === at % bodies.length);
    for (const body of [...whole, ...inFields]) {
      const { status } = await caller.call(route.verb, path, { headers, body });
      expect([body.slice(0, 40), status < 500]).toEqual([body.slice(0, 40), true]);
    }
  },
);
