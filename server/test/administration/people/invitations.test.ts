/** Managers invite users over HTTP: who can, what becomes of each address, and what a link opens. */
import { invitation, inviteUsers } from '@recodery/contract/admin/invitations';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { appendWaiting } from '../../../src/audit/audit.ts';
import { applyDirectory } from '../../../src/organisations/directory/directory.ts';
import type { DirectoryFile } from '../../../src/organisations/directory/directory-file.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { Browser } from '../../sign-in/browser.ts';

const path = '/api/organisation/invitations';

let portal: RunningPortal;
let anna: Client;
let luca: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  anna = await portal.signIn('anna@demo.test');
  luca = await portal.signIn('luca@demo.test');
});
afterAll(() => portal.stop());

/** The outcomes of an invitation, in order. */
async function invite(client: Client, body: object) {
  const { status, json } = await client.post(path, body);
  expect(status).toBe(200);
  return inviteUsers.parts.answer.schema.parse(json).items;
}

async function inviteOne(client: Client, email: string) {
  const [one] = await invite(client, { email });
  if (one?.guid == null || one.link === null) throw new Error(`${email} is not invited`);
  return { ...one, guid: one.guid, link: one.link };
}

const listOf = async (client: Client) => z.array(invitation).parse((await client.get(path)).json);
const emailsOf = async (client: Client) => (await listOf(client)).map(({ email }) => email);

const apply = (file: DirectoryFile) => applyDirectory(portal.platform, file);

async function setPassword(link: string): Promise<number> {
  const page = await new Browser(portal.url).submit(new URL(link).pathname, {
    password: 'a wing without wheels',
  });
  return page.status;
}

// promise 6.managers.invite, 6.managers.invitations
test('a manager invites a user, whose link sets a password, and who is a user without a role', async () => {
  const { link, expiresOn } = await inviteOne(anna, 'Nina@shop.test');
  expect(link.startsWith(portal.platform.config.publicUrl)).toBe(true);
  const [open] = await listOf(anna);
  expect(open).toMatchObject({
    email: 'Nina@shop.test',
    name: 'Nina',
    isManager: false,
    expiresOn,
  });
  expect(open?.invitedBy).toBe('Anna Conti');
  expect(await setPassword(link)).toBe(200);
  expect(await setPassword(link)).toBe(404);
  expect(await emailsOf(anna)).toEqual([]);
  const nina = await portal.signIn('Nina@shop.test');
  const session = await nina.get(`/api/auth/session/${nina.sessionId}`);
  expect(session.json).toMatchObject({ isManager: false, isOperator: false });
  expect((await nina.post(path, { email: 'eve@shop.test' })).status).toBe(403);
  expect(await invite(anna, { email: 'nina@shop.test' })).toMatchObject([
    { outcome: 'alreadyUser', link: null },
  ]);
});

// promise 6.managers.outcomes
test('each address of a list has its own outcome', async () => {
  const emails = ['uno@shop.test', ' UNO@shop.test', 'paolo@demo.test', 'luca@demo.test'];
  const wrong = [
    'x',
    '',
    'a b@shop.test',
    'bell\x07@shop.test',
    'İ@shop.test',
    `${'a'.repeat(251)}@b.c`,
  ];
  const items = await invite(anna, { emails: [...emails, ...wrong], isManager: true });
  expect(items.map(({ outcome }) => outcome)).toEqual([
    'invited',
    'alreadyUser',
    'notAvailable',
    ...wrong.map(() => 'invalid'),
  ]);
  // no other organisation is named, and its user is the same as before
  expect(JSON.stringify(items)).not.toMatch(/CC-|Luca/);
  expect(items.filter(({ link }) => link !== null)).toHaveLength(1);
  const session = await luca.get(`/api/auth/session/${luca.sessionId}`);
  expect(session.json).toMatchObject({ isManager: true });
  expect(await listOf(anna)).toMatchObject([{ email: 'UNO@shop.test', isManager: true }]);
});

test('refuses no address, more than fifty, and one name for several', async () => {
  const many = Array.from({ length: 51 }, (_, at) => `many${at}@shop.test`);
  for (const body of [
    {},
    { emails: [] },
    { emails: many },
    { email: 'a@b.c', emails: many.slice(1) },
  ])
    expect((await anna.post(path, body)).status).toBe(400);
  const named = { emails: many.slice(0, 2), name: 'Many' };
  expect((await anna.post(path, named)).status).toBe(400);
  expect((await anna.post(path, { email: 'a@shop.test', name: ' ' })).status).toBe(400);
  expect((await emailsOf(anna)).filter((email) => email.startsWith('many'))).toEqual([]);
});

// promise 6.managers.only
test('only managers invite, and only for the organisation of their customer code', async () => {
  const [paolo, olga] = [
    await portal.signIn('paolo@demo.test'),
    await portal.signIn('olga@demo.test'),
  ];
  const { guid } = await inviteOne(anna, 'due@shop.test');
  for (const client of [paolo, olga]) {
    expect((await client.post(path, { email: 'tre@shop.test' })).status).toBe(403);
    expect((await client.get(path)).status).toBe(403);
    expect((await client.delete(`${path}/${guid}`)).status).toBe(403);
  }
  expect(await emailsOf(luca)).toEqual([]);
  expect((await luca.delete(`${path}/${guid}`)).status).toBe(404);
  expect(await invite(luca, { email: 'due@shop.test' })).toMatchObject([
    { outcome: 'notAvailable', link: null },
  ]);
  const users = (portalAccess: boolean) =>
    apply({ users: [{ email: 'anna@demo.test', portalAccess }] });
  await users(false);
  expect((await anna.post(path, { email: 'tre@shop.test' })).status).toBe(403);
  expect((await anna.get(path)).status).toBe(403);
  await users(true);
  expect(await emailsOf(anna)).toContain('due@shop.test');
});

// promise 6.managers.revoke
test('a revoked invitation has no link and no user any more', async () => {
  const first = await inviteOne(anna, 'quattro@shop.test');
  const again = await inviteOne(anna, 'QUATTRO@shop.test');
  expect(again.guid).toBe(first.guid);
  expect((await anna.delete(`${path}/${first.guid}`)).status).toBe(204);
  expect((await anna.delete(`${path}/${first.guid}`)).status).toBe(404);
  for (const { link } of [first, again]) expect(await setPassword(link)).toBe(404);
  expect(await emailsOf(anna)).not.toContain('quattro@shop.test');
  expect((await inviteOne(anna, 'quattro@shop.test')).guid).not.toBe(first.guid);
});

// promise 6.managers.takeover
test('an invited user whom the operator has changed is not the manager’s any more', async () => {
  const changes: readonly Omit<NonNullable<DirectoryFile['users']>[number], 'email'>[] = [
    { operator: true },
    { portalAccess: false },
    { customerCodes: ['CC-1001', 'CC-9001'] },
  ];
  for (const [at, change] of changes.entries()) {
    const email = `given${at}@shop.test`;
    const { guid } = await inviteOne(anna, email);
    await apply({ users: [{ email, ...change }] });
    expect(await invite(anna, { email })).toMatchObject([{ outcome: 'alreadyUser', link: null }]);
    expect((await anna.delete(`${path}/${guid}`)).status).toBe(404);
    expect(await emailsOf(anna)).not.toContain(email);
  }
});

test('an organisation has at most 200 open invitations', async () => {
  const users = Array.from({ length: 199 }, (_, at) => ({
    email: `mass${at}@shop.test`,
    name: 'Mass',
    customerCodes: ['CC-9001'],
  }));
  await apply({ users });
  await sql`insert into invitation (account_guid, organisation_guid, invited_on)
    select account_guid, organisation_guid, now() from membership
    where account_guid in (select guid from account where email like 'mass%')`.execute(
    portal.platform.db,
  );
  const emails = ['mass0@shop.test', 'mass199@shop.test', 'mass200@shop.test'];
  expect(await invite(luca, { emails })).toMatchObject([
    { outcome: 'invited' },
    { outcome: 'invited' },
    { outcome: 'tooMany', link: null },
  ]);
  expect(await listOf(luca)).toHaveLength(200);
});

test('the audit trail names the manager and the addresses, and never a link', async () => {
  const { link, guid } = await inviteOne(anna, 'cinque@shop.test');
  await anna.delete(`${path}/${guid}`);
  const { db } = portal.platform;
  await appendWaiting(db);
  const { rows } = await sql<{ entry: string }>`select entry::text from audit_entry`.execute(db);
  const entries = rows.map(({ entry }) => entry).filter((entry) => entry.includes('cinque@'));
  expect(entries).toHaveLength(2);
  for (const entry of entries) expect(entry).toContain('anna@demo.test');
  expect(rows.map(({ entry }) => entry).join('')).not.toContain(link.split('/').at(-1));
});

test('where users sign in at a provider, the link is the portal’s address', async () => {
  const external = await startTestPortal(
    {
      RECODERY_OIDC_ISSUER: 'https://login.example.org',
      RECODERY_OIDC_CLIENT_ID: 'recodery',
      RECODERY_OIDC_CLIENT_SECRET: 'a secret of the provider',
    },
    false,
  );
  try {
    const manager = await external.signIn('anna@demo.test');
    const [one] = await invite(manager, { email: 'sei@shop.test' });
    expect(one).toMatchObject({
      outcome: 'invited',
      link: external.platform.config.publicUrl,
      expiresOn: null,
    });
  } finally {
    await external.stop();
  }
});
