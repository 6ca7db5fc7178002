/** The engines of the administration over HTTP: connections are added, tested, changed and removed without their secrets. */
import { connectionKinds, engineOf, settingsOf } from '@recodery/contract/features/engines';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../../src/config/guids.ts';
import { appendWaiting } from '../../../src/audit/audit.ts';
import { listAudit } from '../../../src/audit/read-audit.ts';
import type { Client } from '../../fixtures/client.ts';
import { type FakeVendor, startFakeVendor } from '../../fixtures/services/fake-vendor.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

interface Answered {
  readonly guid: string;
  readonly revision: string;
  readonly details?: object;
  readonly finding?: object;
}

const path = '/api/admin/engines';
let portal: RunningPortal;
let vendor: FakeVendor;
let olga: Client;
beforeAll(async () => {
  vendor = await startFakeVendor();
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
});
afterAll(async () => {
  await portal.stop();
  await vendor.stop();
});

async function send(verb: string, address: string, body: object = {}, revision = '') {
  const accepted = { accept: 'application/problem+json', 'content-type': 'application/json' };
  const headers = revision === '' ? accepted : { ...accepted, 'if-match': `"${revision}"` };
  const { status, text } = await olga.call(verb, address, {
    headers,
    ...(verb === 'GET' ? {} : { body: JSON.stringify(body) }),
  });
  return { status, text, json: (text === '' ? {} : JSON.parse(text)) as Answered };
}

const connection = () => ({
  name: 'acme',
  kind: 'encoding-api',
  url: `${vendor.url}/`,
  client: vendor.credentials.clientGuid,
  secret: vendor.credentials.secretKey,
});

const builtIn = '00000000-0000-0000-0000-000000000000';

test('an engine is added, tested, given to a master, changed and removed', async () => {
  const added = await send('POST', path, connection());
  expect(added).toMatchObject({
    status: 200,
    json: { name: 'acme', url: vendor.url, masters: 0 },
  });
  const { guid, revision } = added.json;
  const own = `${path}/${guid}`;
  const tested = await send('POST', `${own}/test`);
  expect(tested.json).toMatchObject({ link: null, finding: { state: 'ok' } });

  const master = { family: 'kess3', serial: 'E-M-1', customerCode: 'CC-1001', groupCode: 'G-10' };
  const given = await send('POST', '/api/admin/masters', { ...master, engine: 'acme' });
  expect(given).toMatchObject({ status: 200, json: { engine: 'acme' } });
  expect((await send('DELETE', own)).json.details).toEqual({ fields: { name: 'IN_USE' } });

  const wrong = await send('PUT', own, { secret: 'another' }, revision);
  expect(wrong.status).toBe(200);
  expect(wrong.json.revision).not.toBe(revision);
  expect((await send('POST', `${own}/test`)).json.finding).toMatchObject({ state: 'wrong' });
  // of an operator who has not seen that the secret was replaced
  const late = await send('PUT', own, { secret: 'third' }, revision);
  expect(late).toMatchObject({ status: 412, json: { details: { current: { name: 'acme' } } } });

  await send('DELETE', `/api/admin/masters/${given.json.guid}`);
  expect((await send('DELETE', own)).status).toBe(204);
  expect((await send('GET', own)).status).toBe(404);
  const again = await send('POST', path, connection());
  expect(again.status).toBe(200);
  expect(again.json.guid).not.toBe(guid);
  expect((await send('DELETE', `${path}/${again.json.guid}`)).status).toBe(204);
});

test.each(connectionKinds)('an engine of the kind %s has the fields of its kind', async (kind) => {
  const settings = settingsOf(kind);
  const { families } = engineOf(kind);
  const name = `fields of ${kind}`;
  const entered = { name, kind, url: '', secret: 'a-secret', client: '' };
  const errors = {
    ...(settings.url === null ? { url: 'REQUIRED' } : {}),
    ...(settings.client === null ? {} : { client: 'REQUIRED' }),
  };
  const isComplete = Object.keys(errors).length === 0;
  const first = await send('POST', path, entered);
  if (!isComplete) expect(first.json.details).toEqual({ fields: errors });
  const { url = 'https://vendor.example', client = newGuid() } = {
    ...(settings.url === null ? {} : { url: settings.url }),
    ...(settings.client === null ? { client: null } : {}),
  };
  const whole = { ...entered, url: settings.url === null ? url : '', client: client ?? '' };
  const added = isComplete ? first : await send('POST', path, whole);
  const own = { name, kind, url, client, families: [...families] };
  expect(added).toMatchObject({ status: 200, json: own });
  expect((await send('DELETE', `${path}/${added.json.guid}`)).status).toBe(204);
});

test('an engine keeps its secrets if its removal fails', async () => {
  const { db } = portal.platform;
  const { json } = await send('POST', path, { ...connection(), name: 'stays' });
  const own = `${path}/${json.guid}`;
  await send('PUT', own, { secret: 'another' }, json.revision);
  const countRetired = async () => {
    const keys = db
      .selectFrom('wrapped_key')
      .where('purpose', '=', `engine:${json.guid}`)
      .where('retired_on', 'is not', null);
    return (await keys.select('key_id').execute()).length;
  };
  await sql`alter table engine_connection add constraint no_removal check (removed_on is null) not valid`.execute(
    db,
  );
  const refused = await send('DELETE', own);
  await sql`alter table engine_connection drop constraint no_removal`.execute(db);
  expect(refused.status).toBe(500);
  expect(await countRetired()).toBe(0);
  expect((await send('DELETE', own)).status).toBe(204);
  expect(await countRetired()).toBe(2);
});

test('a secret is in no response and not in the audit trail', async () => {
  const secret = 'a-secret-that-is-never-shown';
  const added = await send('POST', path, { ...connection(), name: 'hidden', secret });
  const { guid } = added.json;
  const changed = await send(
    'PUT',
    `${path}/${guid}`,
    { secret: `${secret}-2` },
    added.json.revision,
  );
  const listed = await send('GET', path);
  while ((await appendWaiting(portal.platform.db)) > 0);
  const entries: unknown[] = [];
  for await (const entry of listAudit(portal.platform.db, {})) entries.push(entry);
  const trail = JSON.stringify(entries);
  expect(trail).toContain('"secret":[null,"changed"]');
  for (const text of [added.text, changed.text, listed.text, trail])
    expect(text).not.toContain(secret);
});

test('refuses what the command line refuses, at the field that is wrong', async () => {
  const refused = async (values: object) =>
    (await send('POST', path, { ...connection(), name: 'wrong', ...values })).json.details;
  const cases: readonly (readonly [values: object, fields: object])[] = [
    [{ kind: null }, { kind: 'REQUIRED' }],
    [{ kind: 'built-in' }, { kind: 'INVALID' }],
    [{ name: 'built-in' }, { name: 'INVALID' }],
    [{ name: 'hidden' }, { name: 'TAKEN' }],
    [{ url: 'http://vendor.test' }, { url: 'NOT_SAFE' }],
    [{ url: 'https://anna@vendor.test' }, { url: 'INVALID' }],
    [
      { url: null, client: null, secret: null },
      { url: 'REQUIRED', client: 'REQUIRED', secret: 'REQUIRED' },
    ],
  ];
  for (const [values, fields] of cases) expect(await refused(values)).toEqual({ fields });
});

test('uses the address that a kind has for everyone, and no client if the kind has none', async () => {
  const { status, json } = await send('POST', path, {
    name: 'bf',
    kind: 'bflash',
    url: null,
    client: 'left over from another kind',
    secret: 'token',
  });
  expect({ status, json }).toMatchObject({
    status: 200,
    json: { url: 'https://api.bflash.eu', client: null },
  });
});

test('a changed address needs the secret again', async () => {
  const { json } = await send('POST', path, { ...connection(), name: 'moved' });
  const changed = await send(
    'PUT',
    `${path}/${json.guid}`,
    { url: 'https://x.test' },
    json.revision,
  );
  expect(changed.json.details).toEqual({ fields: { secret: 'REQUIRED' } });
});

test('the built-in engine cannot be changed, tested or removed', async () => {
  const { json } = await send('GET', `${path}/${builtIn}`);
  const fixed = { details: { fields: { name: 'FIXED' } } };
  const own = `${path}/${builtIn}`;
  expect((await send('PUT', own, { secret: 'x' }, json.revision)).json).toMatchObject(fixed);
  expect((await send('POST', `${own}/test`)).json).toMatchObject(fixed);
  expect((await send('DELETE', own)).json).toMatchObject(fixed);
});
