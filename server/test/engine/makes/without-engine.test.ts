/** A master of a family that only vendors' services serve cannot be without such a service, and opens nothing if it is. */
import { randomBytes } from 'node:crypto';
import { builtInEngine, engineDefinitions } from '@recodery/contract/features/engines';
import { definitionOf, families } from '@recodery/contract/families/registry';
import type { Session } from '@recodery/contract/features/session';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { masterSerial } from '../../../src/demo/doubles/make.ts';
import { allMakes } from '../../../src/demo/doubles/makes.ts';
import { applyDirectory } from '../../../src/organisations/directory/directory.ts';
import type { Client } from '../../fixtures/client.ts';
import { type FakeService, startFakeService } from '../../fixtures/makes/fake-service.ts';
import { addMake } from '../../fixtures/makes/make-portal.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

let portal: RunningPortal;
let anna: Client;
let olga: Client;
const services: FakeService[] = [];
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  [anna, olga] = await Promise.all([
    portal.signIn('anna@demo.test'),
    portal.signIn('olga@demo.test'),
  ]);
  for (const make of allMakes) {
    const service = await startFakeService(make);
    services.push(service);
    await addMake(portal.platform, service);
  }
});
afterAll(async () => {
  await portal.stop();
  for (const service of services) await service.stop();
});

test('every family that the built-in engine does not serve is tried', () => {
  const served: readonly string[] = engineDefinitions['built-in'].families;
  const others = families.filter((family) => !served.includes(family));
  expect(allMakes.map(({ family }) => family).toSorted()).toEqual(others.toSorted());
});

test.each(allMakes)('the directory file cannot list a master of $family alone', async (make) => {
  const { family } = make;
  const { name } = definitionOf(family);
  const masters = [{ family, serial: 'M-ALONE' }];
  const organisation = { customerCode: 'CC-1001', name: 'One' };
  const file = { organisations: [{ ...organisation, groupCodes: [{ code: 'G-B', masters }] }] };
  const plan = await applyDirectory(portal.platform, file);
  expect('changes' in plan ? [] : plan.mistakes).toMatchObject([
    {
      text: `master M-ALONE: the engine built-in does not serve ${name}`,
      field: 'engine',
      code: 'NOT_SERVED',
    },
  ]);
});

test.each(allMakes)('the administration cannot add a master of $family alone', async (make) => {
  const devices = { serial: 'M-ALONE', customerCode: 'CC-1001', groupCode: 'G-B' };
  const headers = { accept: 'application/problem+json', 'content-type': 'application/json' };
  const errors: unknown[] = [];
  for (const engine of [undefined, builtInEngine]) {
    const body = JSON.stringify({ family: make.family, ...devices, engine });
    const { text } = await olga.call('POST', '/api/admin/masters', { headers, body });
    errors.push((JSON.parse(text) as { readonly details: unknown }).details);
  }
  expect(errors).toEqual([
    { fields: { engine: 'REQUIRED' } },
    { fields: { engine: 'NOT_SERVED' } },
  ]);
});

// a row of another origin than the directory
test.each(allMakes)('a master of $family that has lost its engine opens nothing', async (make) => {
  const { family } = make;
  const { noDevices } = definitionOf(family);
  const read = async () => (await anna.get(`/api/auth/session/${anna.sessionId}`)).json as Session;
  const service = services.find((one) => one.make === make);
  expect((await read()).entries[family]).toBeNull();
  await sql`update master_device set connection_guid = null
    where serial_number = ${masterSerial(make, '0001')}`.execute(portal.platform.db);
  expect((await read()).entries[family]).toBe(noDevices);
  const entered = await anna.get(`/api/${family}`);
  const upload = { field: 'readFile', bytes: make.seal('Golf', randomBytes(64)), name: 'golf' };
  const sent = await anna.upload('POST', `/api/${family}/upload-read-file`, upload);
  expect([entered, sent].map(({ status, text }) => [status, text])).toEqual([
    [403, noDevices],
    [403, noDevices],
  ]);
  expect(service?.requests).toEqual([]);
});
