/** Managers administer the people of their organisation over HTTP, and invitations arrive by email. */
import { people } from '@recodery/contract/admin/people';
import type { RecordOf } from '@recodery/contract/admin/resource';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDirectory, exportDirectory } from '../../../src/organisations/directory/directory.ts';
import { type MailServer, startMailServer } from '../../email/mail-server.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { Browser } from '../../sign-in/browser.ts';

type Person = RecordOf<typeof people>;

const { path } = people;
const invitations = '/api/organisation/invitations';

let mail: MailServer;
let portal: RunningPortal;
let anna: Client;
let luca: Client;
beforeAll(async () => {
  mail = await startMailServer({
    refuse: (recipient) => (recipient.startsWith('nobody') ? 550 : null),
  });
  portal = await startTestPortal({
    RECODERY_SMTP_URL: mail.url,
    RECODERY_MAIL_FROM: 'Recodery <portal@recodery.test>',
  });
  anna = await portal.signIn('anna@demo.test');
  luca = await portal.signIn('luca@demo.test');
});
afterAll(async () => {
  await portal.stop();
  await mail.stop();
});

async function list(client: Client, search = ''): Promise<readonly Person[]> {
  const { status, json } = await client.get(`${path}?search=${search}`);
  expect(status).toBe(200);
  return (json as { readonly items: readonly Person[] }).items;
}

async function find(client: Client, email: string): Promise<Person> {
  const found = (await list(client)).find((person) => person.email === email);
  if (found === undefined) throw new Error(`${email} is not listed`);
  return found;
}

const act = (client: Client, { guid }: Person, action: string) =>
  client.call('POST', `${path}/${guid}/${action}`, { headers: problem, body: '{}' });

const problem = { accept: 'application/problem+json', 'content-type': 'application/json' };

const change = (client: Client, { guid, revision }: Person, values: object) =>
  client.call('PUT', `${path}/${guid}`, {
    headers: { ...problem, 'if-match': `"${revision}"` },
    body: JSON.stringify(values),
  });

/** The link in the next email to this address. */
async function linkFor(email: string): Promise<string> {
  const received = await mail.next();
  expect(received.to).toEqual([email]);
  const link = /https?:\/\/\S+\/idp\/password\/[\w-]+/.exec(received.part('text/plain'))?.[0];
  if (link === undefined) throw new Error('the email has no link');
  return link;
}

const setPassword = async (link: string): Promise<number> =>
  (
    await new Browser(portal.url).submit(new URL(link).pathname, {
      password: 'a wing without wheels',
    })
  ).status;

// promise 6.people.list
test('a manager lists the people of the organisation, and no others', async () => {
  const own = (await list(anna)).map(({ email }) => email);
  expect(own).toEqual(expect.arrayContaining(['anna@demo.test', 'paolo@demo.test']));
  expect(own).not.toContain('luca@demo.test');
  expect(await find(anna, 'anna@demo.test')).toMatchObject({ manager: true, state: 'active' });
  expect((await find(anna, 'anna@demo.test')).sessions).toBeGreaterThan(0);
  const paolo = await portal.signIn('paolo@demo.test');
  expect((await paolo.get(path)).status).toBe(403);
});

// promise 6.people.others
test('a manager cannot reach a person of another organisation by any ID', async () => {
  const other = await find(luca, 'luca@demo.test');
  expect((await anna.get(`${path}/${other.guid}`)).status).toBe(404);
  expect((await change(anna, other, { suspended: true })).status).toBe(404);
  expect((await anna.delete(`${path}/${other.guid}`)).status).toBe(404);
  for (const action of people.actions) expect((await act(anna, other, action)).status).toBe(404);
  expect(await find(luca, 'luca@demo.test')).toEqual(other);
});

// promise 6.people.invitation-email
test('an invitation arrives by email, and its link verifies the address', async () => {
  const invited = await anna.post(invitations, { email: 'nina@shop.test' });
  expect(invited.json).toMatchObject({
    items: [{ outcome: 'invited', isMailed: true, link: null }],
  });
  const link = await linkFor('nina@shop.test');
  await expect
    .poll(() => find(anna, 'nina@shop.test'), { timeout: 60_000 })
    .toMatchObject({
      state: 'invited',
      mail: 'sent',
      emailVerified: false,
    });
  expect(await setPassword(link)).toBe(200);
  expect(await find(anna, 'nina@shop.test')).toMatchObject({
    state: 'active',
    mail: null,
    emailVerified: true,
  });
  // accepted: there is no other link to the account
  const nina = await find(anna, 'nina@shop.test');
  for (const action of ['resend', 'invite'])
    expect((await act(anna, nina, action)).status).toBe(404);
});

// promise 6.people.copied-link
test('a link that the manager copies sets a password and verifies nothing', async () => {
  await anna.post(invitations, { email: 'otto@shop.test' });
  const first = await linkFor('otto@shop.test');
  const { json } = await act(anna, await find(anna, 'otto@shop.test'), 'invite');
  const { link } = json as { readonly link: string };
  expect(await setPassword(link)).toBe(200);
  expect(await setPassword(first)).toBe(404);
  expect(await find(anna, 'otto@shop.test')).toMatchObject({
    state: 'active',
    emailVerified: false,
  });
});

// promise 6.people.undelivered
test('an email that cannot be delivered is shown as failed, and can be sent again', async () => {
  await anna.post(invitations, { email: 'nobody@shop.test' });
  await expect
    .poll(() => find(anna, 'nobody@shop.test'), { timeout: 60_000 })
    .toMatchObject({ mail: 'failed' });
  const again = await act(anna, await find(anna, 'nobody@shop.test'), 'resend');
  expect(again.json).toMatchObject({ link: null, item: { state: 'invited' } });
  await anna.delete(`${path}/${(await find(anna, 'nobody@shop.test')).guid}`);
  expect(await list(anna, 'nobody')).toEqual([]);
});

// promise 6.people.suspend
test('a suspended person has no session, cannot sign in, and keeps other organisations', async () => {
  const shared = {
    email: 'shared@demo.test',
    name: 'Shared',
    customerCodes: ['CC-1001', 'CC-9001'],
  };
  await applyDirectory(portal.platform, { users: [shared] });
  const user = await portal.signIn('shared@demo.test');
  const session = `/api/auth/session/${user.sessionId}`;
  expect((await user.get(session)).json).toMatchObject({ customerCode: 'CC-1001' });
  const suspended = await act(anna, await find(anna, 'shared@demo.test'), 'suspend');
  expect(suspended.json).toMatchObject({ item: { state: 'suspended', sessions: 0 } });
  expect((await user.get(session)).status).toBe(401);
  const again = await portal.signIn('shared@demo.test');
  expect((await again.get(`/api/auth/session/${again.sessionId}`)).json).toMatchObject({
    customerCode: 'CC-9001',
    otherCustomerCodes: [],
  });
  expect(await find(luca, 'shared@demo.test')).toMatchObject({ state: 'active' });
  // an export contains it, and changes nothing
  const exported = await exportDirectory(portal.platform.db);
  expect(exported.users).toContainEqual(expect.objectContaining({ suspended: ['CC-1001'] }));
  expect(await applyDirectory(portal.platform, exported)).toEqual({ changes: [] });
  await act(luca, await find(luca, 'shared@demo.test'), 'suspend');
  await expect(portal.signIn('shared@demo.test')).rejects.toThrow('has no organisation');
  await act(anna, await find(anna, 'shared@demo.test'), 'restore');
  expect((await user.get(session)).status).toBe(401);
  await portal.signIn('shared@demo.test');
});

// promise 6.people.sessions
test('ending sessions ends those under the organisation only', async () => {
  const user = await portal.signIn('shared@demo.test');
  await act(luca, await find(luca, 'shared@demo.test'), 'restore');
  await act(luca, await find(luca, 'shared@demo.test'), 'signOut');
  expect((await user.get(`/api/auth/session/${user.sessionId}`)).status).toBe(200);
  await act(anna, await find(anna, 'shared@demo.test'), 'signOut');
  expect((await user.get(`/api/auth/session/${user.sessionId}`)).status).toBe(401);
});

// promise 6.people.remove
test('a removed person leaves the organisation, and the account stays if another needs it', async () => {
  const shared = await find(anna, 'shared@demo.test');
  expect((await anna.delete(`${path}/${shared.guid}`)).status).toBe(204);
  expect(await list(anna, 'shared')).toEqual([]);
  expect(await find(luca, 'shared@demo.test')).toMatchObject({ state: 'active' });
  expect((await luca.delete(`${path}/${shared.guid}`)).status).toBe(204);
  const accounts = await portal.platform.db
    .selectFrom('account')
    .where('email', '=', 'shared@demo.test')
    .select('guid')
    .execute();
  expect(accounts).toEqual([]);
});

// promise 6.people.last-manager, 6.people.operators
test('an organisation keeps a manager, and a manager cannot suspend an operator', async () => {
  const self = await find(luca, 'luca@demo.test');
  for (const values of [{ manager: false }, { suspended: true }]) {
    const refused = await change(luca, self, values);
    expect(JSON.parse(refused.text)).toMatchObject({
      details: { fields: { manager: 'ONLY_MANAGER' } },
    });
  }
  const removal = await luca.call('DELETE', `${path}/${self.guid}?withoutManager=true`, {
    headers: { accept: problem.accept },
  });
  expect(JSON.parse(removal.text)).toMatchObject({
    details: { fields: { manager: 'ONLY_MANAGER' } },
  });
  await applyDirectory(portal.platform, {
    users: [{ email: 'op@shop.test', name: 'Op', customerCodes: ['CC-9001'], operator: true }],
  });
  const operator = await find(luca, 'op@shop.test');
  expect(JSON.parse((await act(luca, operator, 'suspend')).text)).toMatchObject({
    details: { fields: { suspended: 'IS_OPERATOR' } },
  });
  expect((await luca.delete(`${path}/${operator.guid}`)).status).toBe(400);
});

/** What an operator does to the user. */
async function operate(olga: Client, email: string, action: string): Promise<void> {
  const { json } = await olga.get(`/api/admin/users?search=${email}`);
  const [user] = (json as { readonly items: readonly Person[] }).items;
  const { status } = await olga.call('POST', `/api/admin/users/${user?.guid}/${action}`, {
    headers: problem,
    body: '{}',
  });
  expect(status).toBe(200);
}

const byOperator = (field: 'email' | 'suspended') =>
  expect.objectContaining({ details: { fields: { [field]: 'OPERATOR_SUSPENDED' } } });

// promise 6.people.operator-suspended
test('a manager cannot undo what an operator has suspended', async () => {
  const email = 'misused@demo.test';
  await applyDirectory(portal.platform, {
    users: [{ email, name: 'Misused', customerCodes: ['CC-1001'] }],
  });
  const olga = await portal.signIn('olga@demo.test');
  const user = await portal.signIn(email);
  await operate(olga, email, 'suspend');
  expect((await user.get(`/api/auth/session/${user.sessionId}`)).status).toBe(401);
  const person = await find(anna, email);
  expect(person).toMatchObject({ state: 'suspended', suspended: false });
  expect(JSON.parse((await act(anna, person, 'restore')).text)).toEqual(byOperator('suspended'));
  await change(anna, person, { manager: true });
  await act(anna, person, 'suspend');
  const both = await find(anna, email);
  expect(both).toMatchObject({ manager: true, suspended: true });
  const refused = await change(anna, both, { suspended: false });
  expect(JSON.parse(refused.text)).toEqual(byOperator('suspended'));
  const removal = await anna.call('DELETE', `${path}/${both.guid}`, {
    headers: { accept: problem.accept },
  });
  expect(JSON.parse(removal.text)).toEqual(byOperator('email'));
  await expect(portal.signIn(email)).rejects.toThrow('has no organisation');
  // what the manager has suspended stays so after the operator's restore
  await operate(olga, email, 'restore');
  await expect(portal.signIn(email)).rejects.toThrow('has no organisation');
  await act(anna, await find(anna, email), 'restore');
  await portal.signIn(email);
});

// promise 6.people.operator-suspended
test("an operator's restore leaves what a manager has suspended before", async () => {
  const email = 'misused@demo.test';
  const olga = await portal.signIn('olga@demo.test');
  await act(anna, await find(anna, email), 'suspend');
  await operate(olga, email, 'suspend');
  await operate(olga, email, 'restore');
  expect(await find(anna, email)).toMatchObject({ state: 'suspended', suspended: true });
  await expect(portal.signIn(email)).rejects.toThrow('has no organisation');
});

// promise 6.people.operator-suspended
test("an operator's restore gives no access to the portal that the user did not have", async () => {
  const email = 'messages@demo.test';
  const { db } = portal.platform;
  const user = { email, name: 'Messages', customerCodes: ['CC-1001'], portalAccess: false };
  await applyDirectory(portal.platform, { users: [user] });
  expect(await find(anna, email)).toMatchObject({ state: 'active', suspended: false });
  const entryOf = async () =>
    (await exportDirectory(db)).users?.find((entry) => entry.email === email);
  const before = await exportDirectory(db);
  const entry = await entryOf();
  const olga = await portal.signIn('olga@demo.test');
  await operate(olga, email, 'suspend');
  expect(await find(anna, email)).toMatchObject({ state: 'suspended', suspended: false });
  expect(await entryOf()).toEqual({ ...entry, accountSuspended: true });
  await operate(olga, email, 'restore');
  expect(await entryOf()).toEqual(entry);
  // an export contains the suspension, and an older one does not lift it
  await operate(olga, email, 'suspend');
  const suspended = await exportDirectory(db);
  expect(await applyDirectory(portal.platform, suspended)).toEqual({ changes: [] });
  expect(await applyDirectory(portal.platform, before)).toEqual({ changes: [] });
  await expect(portal.signIn(email)).rejects.toThrow('has no organisation');
  const lifted = { users: [{ email, accountSuspended: false }] };
  expect(await applyDirectory(portal.platform, lifted)).toMatchObject({
    changes: [{ fields: ['accountSuspended'] }],
  });
  expect(await entryOf()).toEqual(entry);
  await portal.signIn(email);
  await applyDirectory(portal.platform, suspended);
  await expect(portal.signIn(email)).rejects.toThrow('has no organisation');
  await applyDirectory(portal.platform, { users: [{ email, remove: true }] });
});

// promise 6.people.pause
test('an address gets one invitation by email in five minutes', async () => {
  const email = 'often@shop.test';
  await anna.post(invitations, { email });
  await linkFor(email);
  const again = await act(anna, await find(anna, email), 'resend');
  expect(JSON.parse(again.text)).toMatchObject({ details: { fields: { email: 'JUST_INVITED' } } });
  expect((await anna.post(invitations, { email })).json).toMatchObject({
    items: [{ outcome: 'justInvited', isMailed: false, link: null }],
  });
  await portal.platform.db
    .updateTable('account_mail')
    .where('email', '=', email)
    .set({ created_on: sql`created_on - interval '5 minutes'` })
    .execute();
  expect((await act(anna, await find(anna, email), 'resend')).status).toBe(200);
  await linkFor(email);
});

test('of two managers who edit the same person, the second sees the change', async () => {
  const paolo = await find(anna, 'paolo@demo.test');
  expect(JSON.parse((await change(anna, paolo, { manager: true })).text)).toMatchObject({
    manager: true,
  });
  const second = await change(anna, paolo, { suspended: true });
  expect(second.status).toBe(412);
  const now = await find(anna, 'paolo@demo.test');
  expect(now).toMatchObject({ manager: true, suspended: false });
  await change(anna, now, { manager: false });
});
