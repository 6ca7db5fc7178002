/** Authenticator apps and recovery codes: added on the account, asked for after the password. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccount } from '../../../src/organisations/accounts.ts';
import { resetFactors } from '../../../src/sign-in/factors/factors.ts';
import { createPasswordPath } from '../../../src/sign-in/provider/invitations.ts';
import { textsByLocale } from '../../../src/texts/texts.ts';
import { appCode } from '../../fixtures/sign-in/app-code.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import {
  addApp,
  ask,
  createMovedClock,
  givePassword,
  isSignedIn,
  openBrowser,
  openSession,
  password,
  submitPassword,
} from './factor-steps.ts';

const clock = createMovedClock();
const texts = textsByLocale.get('en-US');
let portal: RunningPortal;
beforeAll(async () => {
  portal = await startTestPortal(
    { RECODERY_TRUSTED_PROXIES: '127.0.0.1' },
    false,
    undefined,
    clock,
  );
});
afterAll(() => portal.stop());

const factors = '/api/account/factors';

/** Gives an account a password, and takes its factors. */
async function resetAccount(email: string): Promise<void> {
  const guid = await givePassword(portal, email);
  await portal.platform.db
    .transaction()
    .execute((trx) => resetFactors(trx, guid, async () => undefined));
}

// promise 6.factors.app, 6.factors.once
test('the sign-in asks for the code of an app, and accepts each code once', async () => {
  const email = 'luca@demo.test';
  await givePassword(portal, email);
  const luca = await portal.signIn(email);
  const { code, recoveryCodes } = await addApp(luca, clock);
  expect(recoveryCodes).toHaveLength(10);
  expect((await ask(luca, 'GET', factors)).json).toMatchObject({
    factors: [{ kind: 'app', name: 'Phone', lastUsedOn: null }],
    recoveryCodesLeft: 10,
    isMissing: false,
  });

  const browser = openBrowser(portal);
  const { form, seen } = await submitPassword(browser, email);
  expect(seen.location).toMatch(/\/factor$/);
  const page = await browser.get(seen.location);
  expect(page.text).toContain(texts?.factorAppText);
  // the code that has added the app is used up
  const factor = `${form}/factor`;
  const refused = await browser.submit(factor, { code: code() });
  expect(refused.text).toContain(texts?.factorWrong);
  clock.advance(30);
  const accepted = code();
  expect(await isSignedIn(browser, await browser.submit(factor, { code: accepted }))).toBe(true);

  const second = openBrowser(portal);
  const again = await submitPassword(second, email);
  const reused = await second.submit(`${again.form}/factor`, { code: accepted });
  expect(reused.text).toContain(texts?.factorWrong);
  expect((await ask(luca, 'GET', factors)).json.factors[0].lastUsedOn).not.toBeNull();
});

// promise 6.factors.drift
test('the clock of a phone can differ by one step of 30 seconds', async () => {
  const email = 'mia@demo.test';
  await givePassword(portal, email);
  const mia = await portal.signIn(email);
  const { json } = await ask(mia, 'POST', `${factors}/apps/draft`);
  expect(json.address).toMatch(/^otpauth:\/\/totp\/Recodery:mia%40demo\.test\?.*secret=/);
  expect(json.rows[0]).toMatch(/^[01]+$/);
  const at = (seconds: number) =>
    appCode(json.secret, new Date(clock.now().getTime() + seconds * 1000));
  const body = { draft: json.draft, name: 'Tablet' };
  for (const seconds of [-90, 90]) {
    const refused = await ask(mia, 'POST', `${factors}/apps`, { ...body, code: at(seconds) });
    expect(refused.json.details.fields).toEqual({ code: 'WRONG_CODE' });
  }
  const added = await ask(mia, 'POST', `${factors}/apps`, { ...body, code: at(-30) });
  expect(added.status).toBe(200);
  const twice = await ask(mia, 'POST', `${factors}/apps`, { ...body, code: at(0) });
  expect(twice.json.details.fields).toEqual({ code: 'CODE_EXPIRED' });
  const browser = openBrowser(portal);
  const { form } = await submitPassword(browser, email);
  const seen = await browser.submit(`${form}/factor`, { code: at(30) });
  expect(await isSignedIn(browser, seen)).toBe(true);
});

// promise 6.factors.draft
test('a draft works for its account only, and for 15 minutes', async () => {
  const [anna, paolo] = [
    await portal.signIn('anna@demo.test'),
    await portal.signIn('paolo@demo.test'),
  ];
  const { json } = await ask(anna, 'POST', `${factors}/apps/draft`);
  const body = () => ({
    draft: json.draft,
    code: appCode(json.secret, clock.now()),
    name: 'Phone',
  });
  const other = await ask(paolo, 'POST', `${factors}/apps`, body());
  expect(other.json.details.fields).toEqual({ code: 'CODE_EXPIRED' });
  clock.advance(901);
  const late = await ask(anna, 'POST', `${factors}/apps`, body());
  expect(late.json.details.fields).toEqual({ code: 'CODE_EXPIRED' });
});

// promise 6.factors.recovery
test('a recovery code signs in once, and new codes replace the former ones', async () => {
  const email = 'otto@demo.test';
  const guid = await givePassword(portal, email);
  const otto = await portal.signIn(email);
  const { recoveryCodes } = await addApp(otto, clock);
  const [first = '', second = ''] = recoveryCodes ?? [];
  const signIn = async (code: string) => {
    const browser = openBrowser(portal);
    const { form } = await submitPassword(browser, email);
    return isSignedIn(browser, await browser.submit(`${form}/factor`, { code }));
  };
  expect(await signIn(` ${first.toUpperCase().replaceAll('-', ' ')}`)).toBe(true);
  expect(await signIn(first)).toBe(false);
  expect((await ask(otto, 'GET', factors)).json.recoveryCodesLeft).toBe(9);
  const rows = await portal.platform.db
    .selectFrom('recovery_code')
    .where('account_guid', '=', guid)
    .select('code_hash')
    .execute();
  const stored = rows.map(({ code_hash: hash }) => hash.toString('latin1')).join();
  expect(stored).not.toContain(second.replaceAll('-', ''));
  expect((await ask(otto, 'POST', `${factors}/recovery-codes`)).json.recoveryCodes).toHaveLength(
    10,
  );
  expect(await signIn(second)).toBe(false);
});

// promise 6.factors.password
test('neither a forgotten password nor a page before the code skips the second factor', async () => {
  const email = 'anna@demo.test';
  const guid = await givePassword(portal, email);
  const { code } = await addApp(await portal.signIn(email), clock);
  const browser = openBrowser(portal);
  const { form, seen } = await submitPassword(browser, email);
  // where the provider would continue after a complete sign-in
  const uid = form.split('/').at(-1);
  expect(await isSignedIn(browser, await browser.get(`/idp/auth/${uid}`))).toBe(false);
  expect(seen.location).toMatch(/\/factor$/);

  const stranger = openBrowser(portal);
  const direct = `${(await submitPassword(stranger, email, 'wrong')).form}/factor`;
  expect((await stranger.submit(direct, { code: code() })).location).not.toMatch(/loggedin|auth/);

  // the password changes between the two pages
  const pending = openBrowser(portal);
  const begun = await submitPassword(pending, email);
  const account = await findAccount(portal.platform.db, guid);
  if (account === null) throw new Error('there is no anna');
  const later = new Date(clock.now().getTime() + 60_000);
  const link = await createPasswordPath(portal.platform, account, 'password', later);
  expect(
    (await openBrowser(portal).submit(link, { password: 'a wing without wheels' })).status,
  ).toBe(200);
  clock.advance(60);
  const late = await pending.submit(`${begun.form}/factor`, { code: code() });
  expect(await isSignedIn(pending, late)).toBe(false);
  const fresh = openBrowser(portal);
  const next = await submitPassword(fresh, email, 'a wing without wheels');
  expect(next.seen.location).toMatch(/\/factor$/);
});

// promise 6.factors.unreadable
test('an app whose secret cannot be read keeps neither other apps nor recovery codes from working', async () => {
  const email = 'luca@demo.test';
  await resetAccount(email);
  const client = await portal.signIn(email);
  const { recoveryCodes } = await addApp(client, clock, 'Old phone');
  const { db } = portal.platform;
  const broken = db.updateTable('authenticator_app').where('name', '=', 'Old phone');
  await broken.set({ sealed_secret: Buffer.from('unreadable') }).execute();
  const signIn = async (code: string) => {
    const browser = openBrowser(portal);
    const { form } = await submitPassword(browser, email);
    return isSignedIn(browser, await browser.submit(`${form}/factor`, { code }));
  };
  expect(await signIn(recoveryCodes?.[0] ?? '')).toBe(true);
  const { code } = await addApp(client, clock, 'New phone');
  clock.advance(30);
  expect(await signIn(code())).toBe(true);
});

// promise 6.factors.silent
test('a session that the provider opens without asking is as old as the sign-in there', async () => {
  const email = 'mia@demo.test';
  await resetAccount(email);
  const browser = openBrowser(portal);
  const { seen } = await submitPassword(browser, email);
  const first = await openSession(portal, browser, seen);
  expect((await ask(first, 'POST', `${factors}/apps/draft`)).status).toBe(200);
  // the user signed in eleven minutes ago, and the provider has not forgotten it yet
  await sql`update provider_record
    set payload = jsonb_set(payload, '{loginTs}', to_jsonb((payload ->> 'loginTs')::int - 660))
    where model = 'Session'`.execute(portal.platform.db);
  const silent = await openSession(portal, browser, await browser.get('/sso/start'));
  expect(await ask(silent, 'POST', `${factors}/apps/draft`)).toMatchObject({
    status: 403,
    json: { errorCode: 'CONFIRM_ACCOUNT' },
  });
});

// promise 6.factors.most
test('a user has at most 20 factors', async () => {
  await resetAccount('paolo@demo.test');
  const owner = await portal.signIn('paolo@demo.test');
  for (let count = 0; count < 20; count += 1) await addApp(owner, clock, `Phone ${count}`);
  const { json } = await ask(owner, 'POST', `${factors}/apps/draft`);
  const body = { draft: json.draft, code: appCode(json.secret, clock.now()), name: 'Phone 20' };
  const refused = await ask(owner, 'POST', `${factors}/apps`, body);
  expect(refused.json.details.fields).toEqual({ name: 'TOO_MANY' });
});

// promise 6.factors.limit
test('after eight wrong codes the account has to wait, wherever they come from, but no other account', async () => {
  const emails = ['paolo@demo.test', 'luca@demo.test', 'mia@demo.test', 'otto@demo.test'];
  const apps = new Map<string, Awaited<ReturnType<typeof addApp>>>();
  for (const email of [...emails, 'olga@demo.test', 'anna@demo.test']) {
    await resetAccount(email);
    apps.set(email, await addApp(await portal.signIn(email), clock));
  }
  // what other tests have entered
  await portal.platform.db.deleteFrom('sign_in_attempt').execute();
  let requests = 0;
  const from = () => {
    requests += 1;
    return `10.${requests}.0.1`;
  };
  /** Submits a code several times in a new sign-in, each from another network; returns the last response. */
  const enter = async (email: string, code: string, times = 1) => {
    const browser = openBrowser(portal, from);
    const { form } = await submitPassword(browser, email);
    for (let time = 1; time < times; time += 1)
      expect((await browser.submit(`${form}/factor`, { code })).status).toBe(200);
    return { browser, seen: await browser.submit(`${form}/factor`, { code }) };
  };
  clock.advance(30);
  for (const email of [...emails, 'olga@demo.test']) {
    expect((await enter(email, '000000', 8)).seen.status).toBe(200);
    const { seen } = await enter(email, apps.get(email)?.code() ?? '');
    expect(seen.status).toBe(429);
    expect(Number(seen.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const anna = await enter('anna@demo.test', apps.get('anna@demo.test')?.code() ?? '');
  expect(await isSignedIn(anna.browser, anna.seen)).toBe(true);
});

// promise 6.factors.confirm
test('a session that signed in long ago must confirm the password first', async () => {
  const email = 'luca@demo.test';
  const authenticatedOn = new Date(Date.now() - 660_000);
  const luca = await portal.signIn(email, { authenticatedOn, isWithFactor: true });
  for (const path of ['apps/draft', 'recovery-codes'])
    expect(await ask(luca, 'POST', `${factors}/${path}`)).toMatchObject({
      status: 403,
      json: { errorCode: 'CONFIRM_ACCOUNT' },
    });
  const wrong = await ask(luca, 'POST', '/api/account/confirm', { password: 'wrong' });
  expect(wrong.json.details.fields).toEqual({ password: 'WRONG_PASSWORD' });
  expect((await ask(luca, 'POST', '/api/account/confirm', { password })).status).toBe(204);
  expect((await ask(luca, 'POST', `${factors}/apps/draft`)).status).toBe(200);
});

// promise 6.factors.remove
test('removing the last factor removes the recovery codes, and the password suffices again', async () => {
  const email = 'mia@demo.test';
  const guid = await givePassword(portal, email);
  await portal.platform.db
    .transaction()
    .execute((trx) => resetFactors(trx, guid, async () => undefined));
  const [mia, paolo] = [await portal.signIn(email), await portal.signIn('paolo@demo.test')];
  await addApp(mia, clock);
  const { json } = await ask(mia, 'GET', factors);
  const [{ guid: own }] = json.factors;
  expect((await ask(paolo, 'DELETE', `${factors}/${own}`)).status).toBe(404);
  expect((await ask(mia, 'DELETE', `${factors}/nothing`)).status).toBe(404);
  expect((await ask(mia, 'DELETE', `${factors}/${own}`)).status).toBe(204);
  expect((await ask(mia, 'GET', factors)).json).toMatchObject({
    factors: [],
    recoveryCodesLeft: 0,
  });
  expect((await ask(mia, 'POST', `${factors}/recovery-codes`)).status).toBe(404);
  const browser = openBrowser(portal);
  const { seen } = await submitPassword(browser, email);
  expect(await isSignedIn(browser, seen)).toBe(true);
});
