/** The user's own account over HTTP: name, language, password, sessions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDirectory } from '../../../src/organisations/directory/directory.ts';
import { findAccountByEmail, setPasswordHash } from '../../../src/organisations/accounts.ts';
import { hashPassword } from '../../../src/sign-in/provider/passwords/passwords.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

let portal: RunningPortal;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
});
afterAll(() => portal.stop());

const oldPassword = 'four wheels and a wing';
const newPassword = 'a wing without wheels';

const fieldsOf = async (client: Client, path: string, verb: string, body: object) => {
  const headers = { accept: 'application/problem+json', 'content-type': 'application/json' };
  const { status, text } = await client.call(verb, path, { headers, body: JSON.stringify(body) });
  const json = text === '' ? null : (JSON.parse(text) as { details?: { fields: object } });
  return [status, json?.details?.fields ?? null] as const;
};

test('a user changes their own name and language, and not those of others', async () => {
  const paolo = await portal.signIn('paolo@demo.test');
  expect((await paolo.get('/api/account')).json).toMatchObject({
    email: 'paolo@demo.test',
    hasPassword: false,
  });
  const values = { name: 'Paolo B.', culture: 'fr-FR', operator: true, email: 'eve@demo.test' };
  expect((await paolo.put('/api/account', values)).json).toMatchObject({
    email: 'paolo@demo.test',
    name: 'Paolo B.',
    culture: 'fr-FR',
  });
  const session = await paolo.get(`/api/auth/session/${paolo.sessionId}`);
  expect(session.json).toMatchObject({ culture: 'fr-FR', isOperator: false });
  expect(await fieldsOf(paolo, '/api/account', 'PUT', { name: '', culture: 'xx' })).toEqual([
    400,
    { name: 'REQUIRED', culture: 'INVALID' },
  ]);
});

test('a user changes the password with the old one, and other sessions end', async () => {
  const { db } = portal.platform;
  const account = await findAccountByEmail(db, 'luca@demo.test');
  if (account === null) throw new Error('there is no luca');
  await setPasswordHash(db, account, await hashPassword(oldPassword));
  const [luca, other] = [
    await portal.signIn('luca@demo.test'),
    await portal.signIn('luca@demo.test'),
  ];
  const change = (body: object) => fieldsOf(luca, '/api/account/password', 'POST', body);
  expect(await change({ oldPassword: 'wrong', newPassword })).toEqual([
    400,
    { oldPassword: 'WRONG_PASSWORD' },
  ]);
  expect(await change({ oldPassword, newPassword: 'Luca2026' })).toEqual([
    400,
    { newPassword: 'PASSWORD_TOO_COMMON' },
  ]);
  expect((await other.get('/api/account')).status).toBe(200);
  expect(await change({ oldPassword, newPassword })).toEqual([204, null]);
  expect((await other.get('/api/account')).status).toBe(401);
  expect((await luca.get('/api/account')).status).toBe(200);
  expect(await change({ oldPassword, newPassword })).toEqual([
    400,
    { oldPassword: 'WRONG_PASSWORD' },
  ]);
});

test('a password change also ends sessions of an organisation that the user has left', async () => {
  const { db } = portal.platform;
  const join = async (...customerCodes: string[]) => {
    const directory = { users: [{ email: 'luca@demo.test', customerCodes }] };
    expect(await applyDirectory(portal.platform, directory)).toHaveProperty('changes');
  };
  const account = await findAccountByEmail(db, 'luca@demo.test');
  if (account === null) throw new Error('there is no luca');
  await setPasswordHash(db, account, await hashPassword(oldPassword));
  await join('CC-2002', 'CC-9001');
  const other = await portal.signIn('luca@demo.test');
  await join('CC-9001');
  const luca = await portal.signIn('luca@demo.test');
  const passwords = { oldPassword, newPassword };
  expect(await fieldsOf(luca, '/api/account/password', 'POST', passwords)).toEqual([204, null]);
  await join('CC-9001', 'CC-2002');
  expect((await other.get('/api/account')).status).toBe(401);
  expect((await luca.get('/api/account')).status).toBe(200);
});

test('a change of the own account wakes the pages of this account only', async () => {
  const [anna] = [await portal.signIn('anna@demo.test'), await portal.signIn('anna@demo.test')];
  const { json } = await anna.get('/api/account/sessions');
  const own = (json as readonly { readonly guid: string }[]).map(({ guid }) => guid);
  const heard = new Set<string | null>();
  const stop = portal.platform.announce.subscribe(({ kind, guid }) => {
    if (kind === 'session') heard.add(guid);
  });
  await anna.put('/api/account', { name: 'Anna A.', culture: 'it-IT' });
  await expect.poll(() => heard, { timeout: 30_000 }).toEqual(new Set(own));
  stop();
});

test('a user sees and ends their own sessions only', async () => {
  const [mia, second, third] = [
    await portal.signIn('mia@demo.test'),
    await portal.signIn('mia@demo.test'),
    await portal.signIn('mia@demo.test'),
  ];
  const anna = await portal.signIn('anna@demo.test');
  type Listed = readonly { readonly guid: string; readonly isCurrent: boolean }[];
  const listed = async (client: Client) =>
    (await client.get('/api/account/sessions')).json as Listed;
  const all = await listed(mia);
  expect(all.map(({ isCurrent }) => isCurrent).filter(Boolean)).toEqual([true]);
  expect(all).toHaveLength(3);
  const own = (await listed(second)).find(({ isCurrent }) => isCurrent)?.guid;
  expect((await anna.delete(`/api/account/sessions/${own}`)).status).toBe(404);
  expect((await mia.delete(`/api/account/sessions/${own}`)).status).toBe(204);
  expect((await second.get('/api/account')).status).toBe(401);
  expect((await mia.delete('/api/account/sessions')).status).toBe(204);
  expect((await third.get('/api/account')).status).toBe(401);
  expect(await listed(mia)).toMatchObject([{ isCurrent: true }]);
  expect((await anna.get('/api/account')).status).toBe(200);
});
