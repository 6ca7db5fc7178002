/** The operator's resources over HTTP: list, read, add, change and remove, with the rules of the directory. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyDirectory, exportDirectory } from '../../../src/organisations/directory/directory.ts';
import {
  readDirectoryFile,
  writeDirectoryFile,
} from '../../../src/organisations/directory/directory-file.ts';
import { appendWaiting } from '../../../src/audit/audit.ts';
import { listAudit } from '../../../src/audit/read-audit.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

type Fields = Readonly<Record<string, unknown>> & {
  readonly guid: string;
  readonly revision: string;
};
interface Page {
  readonly items: readonly Fields[];
  readonly next: string | null;
  readonly total: number;
}

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
});
afterAll(() => portal.stop());

const problem = { accept: 'application/problem+json', 'content-type': 'application/json' };

async function send(verb: string, path: string, body: object = {}, revision = '') {
  const headers = revision === '' ? problem : { ...problem, 'if-match': `"${revision}"` };
  const content = verb === 'GET' ? {} : { body: JSON.stringify(body) };
  const { status, text } = await olga.call(verb, path, { headers, ...content });
  return { status, json: text === '' ? null : (JSON.parse(text) as Fields & { details?: object }) };
}

const list = async (resource: string, query = '') =>
  (await olga.get(`/api/admin/${resource}?${query}`)).json as Page;

async function find(resource: string, search: string): Promise<Fields> {
  const { items } = await list(resource, `search=${search}`);
  const [first] = items;
  if (first === undefined) throw new Error(`there is no ${search}`);
  return first;
}

describe('a list', () => {
  test('searches, sorts and pages', async () => {
    const all = await list('slaves', 'count=200');
    expect(all.total).toBe(all.items.length);
    const serials: unknown[] = [];
    let after = '';
    do {
      const page = await list('slaves', `sort=-serial&count=2&after=${after}`);
      expect(page.total).toBe(all.total);
      serials.push(...page.items.map(({ serial }) => serial));
      after = page.next ?? '';
    } while (after !== '');
    expect(serials).toEqual(all.items.map(({ serial }) => serial).toReversed());
    const found = await list('users', 'search=ANNA%20demo');
    expect(found.items.map(({ email }) => email)).toEqual(['anna@demo.test']);
    expect(await list('users', 'search=nobody-here')).toEqual({ items: [], next: null, total: 0 });
  });

  test('refuses a column or a place that does not exist', async () => {
    for (const query of ['sort=logo', 'after=x', 'count=201'])
      expect((await olga.get(`/api/admin/organisations?${query}`)).status).toBe(400);
  });
});

describe('a record', () => {
  test('is added, changed and removed, and an export afterwards applies cleanly', async () => {
    const added = await send('POST', '/api/admin/organisations', {
      customerCode: 'CC-9005',
      name: 'Nova',
      culture: 'es-ES',
      rights: ['kess3', 'recod'],
      groupCodes: ['G-50', 'G-51'],
      logo: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`,
    });
    expect(added).toMatchObject({ status: 200, json: { customerCode: 'CC-9005', masters: 0 } });
    const { guid, revision, logo } = added.json as Fields;
    const path = `/api/admin/organisations/${guid}`;
    expect((await olga.get(String(logo))).status).toBe(200);
    const changed = await send('PUT', path, { name: 'Nova 2', groupCodes: ['G-50'] }, revision);
    expect(changed).toMatchObject({
      status: 200,
      json: { name: 'Nova 2', groupCodes: ['G-50'], rights: ['kess3', 'recod'], logo },
    });
    const user = await send('POST', '/api/admin/users', {
      email: 'Nina@nova.test',
      name: 'Nina',
      customerCodes: ['CC-9005'],
      manager: ['CC-9005'],
      portalAccess: true,
    });
    expect(user).toMatchObject({ status: 200, json: { hasPassword: false, operator: false } });
    const master = { family: 'kess3', serial: 'N-M-1', engine: 'built-in' };
    const place = { customerCode: 'CC-9005', groupCode: 'G-50' };
    expect((await send('POST', '/api/admin/masters', { ...master, ...place })).status).toBe(200);
    const slave = await send('POST', '/api/admin/slaves', {
      family: 'kess3',
      serial: 'N-1',
      masterSerial: 'N-M-1',
    });
    expect(slave).toMatchObject({ status: 200, json: { owner: null, revoked: false } });
    const revoked = await send('POST', `/api/admin/slaves/${slave.json?.guid}/revoke`);
    expect(revoked.json).toMatchObject({ item: { revoked: true }, link: null });

    const exported = writeDirectoryFile(await exportDirectory(portal.platform.db));
    const read = readDirectoryFile(exported);
    if ('mistakes' in read) throw new Error(read.mistakes.join('\n'));
    expect(await applyDirectory(portal.platform, read.directory)).toEqual({ changes: [] });

    const { guid: masterGuid } = await find('masters', 'N-M-1');
    const inUse = await send('DELETE', `/api/admin/masters/${masterGuid}`);
    expect(inUse).toMatchObject({
      status: 400,
      json: { details: { fields: { serial: 'IN_USE' } } },
    });
    expect((await send('DELETE', `/api/admin/slaves/${slave.json?.guid}`)).status).toBe(204);
    expect((await send('DELETE', `/api/admin/masters/${masterGuid}`)).status).toBe(204);
    expect((await send('GET', `/api/admin/masters/${masterGuid}`)).status).toBe(404);
  });

  test('that someone else has changed is not overwritten', async () => {
    const { guid, revision } = await find('users', 'mia@demo.test');
    const path = `/api/admin/users/${guid}`;
    const answers = await Promise.all([
      send('PUT', path, { name: 'Mia One' }, revision),
      send('PUT', path, { name: 'Mia Two' }, revision),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 412]));
    const [saved] = answers.filter(({ status }) => status === 200);
    const [refused] = answers.filter(({ status }) => status === 412);
    expect(refused?.json).toMatchObject({
      errorCode: 'RECORD_CHANGED',
      details: { current: { name: saved?.json?.['name'], revision: saved?.json?.revision } },
    });
    expect(await find('users', 'mia@demo.test')).toMatchObject({ name: saved?.json?.['name'] });
    expect((await send('PUT', path, { name: 'Mia' })).status).toBe(400);
  });

  test.each([
    [
      'organisations',
      { customerCode: 'CC-1001', name: 'X', culture: 'it-IT' },
      { customerCode: 'TAKEN' },
    ],
    [
      'organisations',
      { customerCode: ' ', culture: 'xx' },
      { customerCode: 'INVALID', name: 'REQUIRED', culture: 'INVALID' },
    ],
    ['users', { email: 'ANNA@demo.test', name: 'Anna' }, { email: 'TAKEN' }],
    ['users', { email: 'x', name: 'X'.repeat(201) }, { email: 'INVALID', name: 'TOO_LONG' }],
    [
      'users',
      { email: 'x@x.test', name: 'X', customerCodes: ['CC-1001'], manager: ['CC-2002'] },
      { manager: 'UNKNOWN' },
    ],
    [
      'users',
      { email: 'x@x.test', name: 'X', customerCodes: ['CC-0'] },
      { customerCodes: 'UNKNOWN' },
    ],
    [
      'masters',
      { family: 'kess3', serial: 'M', customerCode: 'CC-0', groupCode: 'G', engine: 'none' },
      { customerCode: 'UNKNOWN', engine: 'UNKNOWN' },
    ],
    [
      'slaves',
      { family: 'ktag', serial: 'S', masterSerial: 'KS3-M-0001' },
      { masterSerial: 'UNKNOWN' },
    ],
    [
      'slaves',
      { family: 'kess3', serial: 'é'.repeat(17), masterSerial: 'KS3-M-0001' },
      { serial: 'TOO_LONG' },
    ],
    ['users', { email: 'x@x.test', name: '🏎'.repeat(101) }, { name: 'TOO_LONG' }],
  ])('of %s with wrong values %j is refused at its fields', async (resource, values, fields) => {
    const before = await exportDirectory(portal.platform.db);
    const refused = await send('POST', `/api/admin/${resource}`, values);
    expect(refused).toMatchObject({
      status: 400,
      json: { errorCode: 'FIELDS_NOT_ACCEPTED', details: { fields } },
    });
    expect(await exportDirectory(portal.platform.db)).toEqual(before);
  });
});

test('a user who leaves an organisation no longer manages it', async () => {
  const added = await send('POST', '/api/admin/users', {
    email: 'moves@demo.test',
    name: 'Moves',
    customerCodes: ['CC-1001', 'CC-2002'],
    manager: ['CC-1001', 'CC-2002'],
  });
  const { guid, revision } = added.json as Fields;
  const left = { customerCodes: ['CC-2002'] };
  expect(await send('PUT', `/api/admin/users/${guid}`, left, revision)).toMatchObject({
    status: 200,
    json: { ...left, manager: ['CC-2002'] },
  });
});

test('a switch or a list that is null is refused', async () => {
  const slave = await find('slaves', 'KS3-');
  const user = await find('users', 'mia@demo.test');
  for (const [path, { guid, revision }, values] of [
    ['slaves', slave, { revoked: null }],
    ['users', user, { portalAccess: null }],
    ['users', user, { operator: null }],
    ['users', user, { customerCodes: null }],
  ] as const)
    expect((await send('PUT', `/api/admin/${path}/${guid}`, values, revision)).status).toBe(400);
});

test('a device changes its owner only if the request confirms it', async () => {
  const { guid, revision } = await find('masters', 'KS3-M-0001');
  const path = `/api/admin/masters/${guid}`;
  const values = { customerCode: 'CC-2002', groupCode: 'G-20' };
  expect(await send('PUT', path, values, revision)).toMatchObject({
    status: 400,
    json: {
      details: {
        fields: { customerCode: 'MOVE_NOT_CONFIRMED' },
        moves: [{ device: 'kess3 KS3-M-0001', from: 'CC-1001', to: 'CC-2002' }],
      },
    },
  });
  const moved = await send('PUT', `${path}?move=true`, values, revision);
  expect(moved).toMatchObject({ status: 200, json: values });
});

test('the last operator and the last manager stay', async () => {
  const { guid: operator, revision } = await find('users', 'olga@demo.test');
  const path = `/api/admin/users/${operator}`;
  const last = (field: string) => ({
    status: 400,
    json: { details: { fields: { [field]: 'LAST_OPERATOR' } } },
  });
  expect(await send('PUT', path, { operator: false }, revision)).toMatchObject(last('operator'));
  expect(await send('POST', `${path}/suspend`)).toMatchObject(last('accountSuspended'));
  expect(await send('DELETE', path)).toMatchObject(last('email'));
  // without an organisation, a user cannot sign in
  const none = { customerCodes: [] };
  expect(await send('PUT', path, none, revision)).toMatchObject(last('customerCodes'));
  const { customerCodes } = await find('users', 'olga@demo.test');
  const closed = { suspended: customerCodes };
  expect(await send('PUT', path, closed, revision)).toMatchObject(last('suspended'));
  const unable = { portalAccess: false };
  expect(await send('PUT', path, unable, revision)).toMatchObject(last('portalAccess'));
  // neither alone would keep the operator
  const both = { operator: false, portalAccess: false };
  expect(await send('PUT', path, both, revision)).toMatchObject(last('operator'));

  const anna = await find('users', 'anna@demo.test');
  const ofAnna = `/api/admin/users/${anna.guid}`;
  expect(await send('PUT', ofAnna, { manager: [] }, anna.revision)).toMatchObject({
    status: 400,
    json: { details: { fields: { manager: 'LAST_MANAGER' } } },
  });
  const without = await send(
    'PUT',
    `${ofAnna}?withoutManager=true`,
    { manager: [] },
    anna.revision,
  );
  expect(without).toMatchObject({ status: 200, json: { manager: [] } });
});

test('the only manager can be suspended at once', async () => {
  const anna = await find('users', 'anna@demo.test');
  const ofAnna = `/api/admin/users/${anna.guid}`;
  const values = { manager: anna['customerCodes'] };
  expect((await send('PUT', ofAnna, values, anna.revision)).status).toBe(200);
  expect(await send('POST', `${ofAnna}/suspend`)).toMatchObject({
    status: 200,
    json: { item: { portalAccess: true, accountSuspended: true } },
  });
  expect((await send('POST', `${ofAnna}/restore`)).status).toBe(200);
});

test('an action invites, suspends and signs a user out', async () => {
  const paolo = await portal.signIn('paolo@demo.test');
  const { guid } = await find('users', 'paolo@demo.test');
  const path = `/api/admin/users/${guid}`;
  const { json } = await send('POST', `${path}/invite`);
  const { link } = json as unknown as { link: string };
  expect((await olga.get(new URL(link).pathname)).status).toBe(200);
  await send('POST', `${path}/suspend`);
  expect((await paolo.get('/api/operations')).status).toBe(401);
  await expect(portal.signIn('paolo@demo.test')).rejects.toThrow('has no organisation');
  await send('POST', `${path}/restore`);
  expect((await paolo.get('/api/operations')).status).toBe(401);
  const again = await portal.signIn('paolo@demo.test');
  expect((await again.get('/api/operations')).status).toBe(200);
  await send('POST', `${path}/signOut`);
  expect((await again.get('/api/operations')).status).toBe(401);
  expect((await send('POST', `${path}/explode`)).status).toBe(404);
});

test('a change of a user writes only the memberships that differ', async () => {
  const { db } = portal.platform;
  const email = 'two@demo.test';
  const user = { email, name: 'Two', customerCodes: ['CC-1001', 'CC-9001'] };
  await applyDirectory(portal.platform, { users: [user] });
  const versions = () =>
    db
      .selectFrom('membership')
      .innerJoin('account', 'account.guid', 'membership.account_guid')
      .where('account.email', '=', email)
      .orderBy('membership.position')
      .select(sql<string>`membership.xmin::text`.as('version'))
      .execute();
  const [first, second] = await versions();
  await applyDirectory(portal.platform, { users: [{ email, name: 'Two B.' }] });
  expect(await versions()).toEqual([first, second]);
  await applyDirectory(portal.platform, { users: [{ email, manager: ['CC-9001'] }] });
  const [same, other] = await versions();
  expect(same).toEqual(first);
  expect(other).not.toEqual(second);
  await applyDirectory(portal.platform, { users: [{ email, customerCodes: ['CC-1001'] }] });
  expect(await versions()).toEqual([first]);
  await applyDirectory(portal.platform, { users: [{ email, remove: true }] });
});

test('a change is recorded with old and new values', async () => {
  const { guid, revision } = await find('users', 'luca@demo.test');
  await send('PUT', `/api/admin/users/${guid}`, { name: 'Luca B.' }, revision);
  const { db } = portal.platform;
  await appendWaiting(db);
  const entries = [];
  for await (const { entry } of listAudit(db, { action: 'adminUsers.update' })) entries.push(entry);
  expect(entries.at(-1)).toMatchObject({
    actor: { name: 'olga@demo.test' },
    object: { guid, changes: { name: [expect.any(String), 'Luca B.'] } },
    outcome: 'done',
  });
  // operators do not act on behalf of their own organisation
  expect(entries.at(-1)).not.toHaveProperty('organisation');
});
