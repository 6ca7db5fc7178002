/**
 * The credentials that a browser uses during a sign-in: one-time tokens, codes, cookies, invitations and the pass of
 * the demo.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Account, findAccountByEmail } from '../../src/organisations/accounts.ts';
import { deriveFromState, writeMemory } from '../../src/sign-in/cookies.ts';
import { createDemoLink } from '../../src/sign-in/provider/demo-pass.ts';
import { acceptInvitation, createInvitationPath } from '../../src/sign-in/provider/invitations.ts';
import { createSsoToken, redeemSsoToken } from '../../src/sign-in/sso-tokens.ts';
import { Browser } from '../sign-in/browser.ts';
import type { Credential } from './credential.ts';
import type { TwoOrganisations } from './two-organisations.ts';

const host = 'localhost:8080';
const invent = (): string => randomBytes(32).toString('base64url');
const lastSegment = (path: string): string => path.split('/').at(-1) ?? '';
const expiredSignIn = '303 /loggedin SIGN_IN_EXPIRED';

function createForeignKey() {
  const one = { keyId: 1, key: randomBytes(32) };
  return { getCurrentKey: async () => one };
}

async function getAccount({ portal }: TwoOrganisations, email: string): Promise<Account> {
  const account = await findAccountByEmail(portal.platform.db, email);
  if (account === null) throw new Error(`there is no account ${email}`);
  return account;
}

const cookies = (all: Readonly<Record<string, string>>) => ({
  cookie: Object.entries(all)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; '),
});

/** The one-time token that becomes a session, and the browser that it is for. */
export async function createSsoCredentials(
  setup: TwoOrganisations,
): Promise<readonly Credential[]> {
  const { db } = setup.portal.platform;
  const { guid: accountGuid } = await getAccount(setup, 'otto@demo.test');
  const browser = invent();
  const make = (of: string) => createSsoToken(db, { accountGuid, browser: of, idToken: null });
  const [value, second, used] = [await make(browser), await make(browser), await make(browser)];
  await redeemSsoToken(db, used, browser);
  const tokens = db.updateTable('sso_token').where('account_guid', '=', accountGuid);
  const move = (interval: string) =>
    tokens.set({ expires_on: sql`expires_on + ${interval}::interval` }).execute();
  // they must not expire before they are used
  await move('1 hour');
  const present = (token: string, of: string) => ({
    method: 'POST' as const,
    url: `/api/auth/validate-sso-token/${encodeURIComponent(token)}`,
    headers: cookies({ 'recodery-browser': of }),
  });
  const common = {
    granted: '200',
    refused: ['401 API_ERROR_UNAUTHORIZED', '404 NOT_FOUND', '400 BAD_REQUEST'],
    isSpent: true,
    endings: {
      'a minute has passed': { end: () => move('-2 hours'), undo: () => move('2 hours') },
    },
  } as const;
  return [
    {
      ...common,
      title: 'token of a sign-in',
      sources: ['sso_token.token_hash'],
      places: ['token'],
      value,
      present: (token) => present(token, browser),
      others: { 'of another browser': await make(invent()), 'that was used': used },
    },
    {
      ...common,
      title: 'cookie of the browser that signs in',
      sources: ['sso_token.browser_hash'],
      places: [],
      value: browser,
      present: (of) => present(second, of),
      others: { 'of another browser': invent() },
    },
  ];
}

/** The cookie that a browser must bring back from the provider. */
export async function createMemoryCredentials({
  portal,
}: TwoOrganisations): Promise<readonly Credential[]> {
  const { key } = await portal.platform.secrets.getCurrentKey('cookie');
  const [state, otherState] = [invent(), invent()];
  const memory = { state, returnTo: '/', begunOn: Date.now() };
  const value = writeMemory(memory, key);
  const [content = ''] = value.split('.');
  const hour = 3_600_000;
  return [
    {
      title: 'cookie of a sign-in that has begun',
      sources: ['wrapped_key cookie'],
      places: [],
      value,
      present: (text) => ({
        url: `/sso/callback?state=${state}&error=access_denied`,
        headers: cookies({
          'recodery-browser': invent(),
          [`recodery-sign-in-${state.slice(0, 12)}`]: text,
        }),
      }),
      granted: '303 /loggedin SIGN_IN_REFUSED',
      refused: [expiredSignIn],
      others: {
        expired: writeMemory({ ...memory, begunOn: Date.now() - hour }, key),
        'of another key': writeMemory(memory, randomBytes(32)),
        'of another sign-in': writeMemory({ ...memory, state: otherState }, key),
        'signed with the nonce': `${content}.${deriveFromState('nonce', content, key)}`,
        'signed with the verifier': `${content}.${deriveFromState('verifier', content, key)}`,
      },
    },
  ];
}

/** Signs in at the provider up to the redirect back; returns its address and the browser's cookies. */
async function obtainCode(setup: TwoOrganisations, email: string, password: string) {
  const browser = new Browser(`http://${host}`, async (url, init) => {
    const answer = await setup.app.inject({
      method: init.method === 'POST' ? 'POST' : 'GET',
      url: url.pathname + url.search,
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        host,
        ...(init.body instanceof URLSearchParams
          ? { 'content-type': 'application/x-www-form-urlencoded' }
          : {}),
      },
      ...(init.body instanceof URLSearchParams ? { payload: String(init.body) } : {}),
    });
    const headers = new Headers();
    for (const [name, values] of Object.entries(answer.headers))
      for (const value of [values ?? []].flat()) headers.append(name, String(value));
    return new Response(answer.body, { status: answer.statusCode, headers });
  });
  await browser.get(new URL(await createDemoLink(setup.portal.platform)).pathname);
  const { address: form } = await browser.follow(await browser.get('/sso/start'));
  const sent = await browser.submit(form, { email, password });
  const { address } = await browser.follow(sent, '/sso/callback');
  const kept = [...browser.cookies.values()].map(({ name, value }) => [name, value]);
  return { address: new URL(address), cookies: Object.fromEntries(kept) };
}

/** The provider's code, and the cookie of its form. */
export async function createCodeCredentials(
  setup: TwoOrganisations,
): Promise<readonly Credential[]> {
  const { db } = setup.portal.platform;
  const [email, password] = ['carla@demo.test', 'a password of carla'];
  await acceptInvitation(
    db,
    { account: await getAccount(setup, email), purpose: 'copied' },
    password,
  );
  const one = await obtainCode(setup, email, password);
  const other = await obtainCode(setup, email, password);
  const codeOf = ({ address }: typeof one) => address.searchParams.get('code') ?? '';
  const codes = db.updateTable('provider_record').where('model', '=', 'AuthorizationCode');
  const move = (interval: string) =>
    codes.set({ expires_on: sql`expires_on + ${interval}::interval` }).execute();
  // as above
  await move('1 hour');
  return [
    {
      title: 'code of the provider',
      sources: ['wrapped_key provider', 'provider_record.id'],
      places: [],
      value: codeOf(one),
      present: (code) => {
        const { pathname, searchParams } = new URL(one.address);
        searchParams.set('code', code);
        return { url: `${pathname}?${searchParams}`, headers: { ...cookies(one.cookies), host } };
      },
      granted: '303 /loggedin',
      // a code that the provider does not know has expired, or was invented
      refused: [expiredSignIn],
      others: { 'of another sign-in': codeOf(other) },
      endings: {
        'a minute has passed': { end: () => move('-2 hours'), undo: () => move('2 hours') },
      },
      isSpent: true,
    },
  ];
}

/** A link with which a user sets a password: its page, and its form. */
export async function createInvitationCredentials(
  setup: TwoOrganisations,
): Promise<readonly Credential[]> {
  const { platform } = setup.portal;
  const account = await getAccount(setup, 'fred@demo.test');
  const other = await getAccount(setup, 'luca@demo.test');
  const clock = { now: () => new Date(Date.now() - 7 * 86_400_000 - 1000) };
  const mint = async (deps: Parameters<typeof createInvitationPath>[0], of = account) =>
    lastSegment(await createInvitationPath(deps, of));
  const value = await mint(platform);
  const bytes = Buffer.from(value, 'base64url');
  const later = Buffer.from(bytes);
  later.writeUInt32BE(later.readUInt32BE(16) + 86_400, 16);
  const luca = Buffer.from(await mint(platform, other), 'base64url');
  const passwordHash = (hash: string | null) =>
    platform.db
      .updateTable('account')
      .where('guid', '=', account.guid)
      .set({ password_hash: hash })
      .execute();
  const common = {
    sources: ['wrapped_key invitation'],
    places: [],
    value,
    granted: '200',
    refused: ['404 page', '404 NOT_FOUND', '404 Not Found', '400 page'],
    others: {
      expired: await mint({ ...platform, clock }),
      'of another key': await mint({ ...platform, secrets: createForeignKey() }),
      'that would last longer': later.toString('base64url'),
      'of another account': Buffer.concat([luca.subarray(0, 16), bytes.subarray(16)]).toString(
        'base64url',
      ),
    },
    endings: {
      'a password was set': {
        end: () => passwordHash('another'),
        undo: () => passwordHash(account.passwordHash),
      },
    },
  };
  const path = (token: string) => `/idp/password/${encodeURIComponent(token)}`;
  return [
    { ...common, title: 'invitation, its page', present: (token) => ({ url: path(token) }) },
    {
      ...common,
      title: 'invitation, its form',
      present: (token) => ({
        method: 'POST',
        url: path(token),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'password=a+new+password',
      }),
      isSpent: true,
    },
  ];
}

/** The pass of the demo. */
export async function createPassCredentials({
  portal,
}: TwoOrganisations): Promise<readonly Credential[]> {
  const { platform } = portal;
  const foreign = await createDemoLink({ ...platform, secrets: createForeignKey() });
  return [
    {
      title: 'pass of the demo',
      sources: ['wrapped_key cookie'],
      places: [],
      value: lastSegment(await createDemoLink(platform)),
      present: (pass) => ({ url: `/idp/demo/${encodeURIComponent(pass)}` }),
      granted: '303 /',
      refused: ['404 page', '404 NOT_FOUND', '404 Not Found', '400 page'],
      others: { 'of another key': lastSegment(foreign) },
    },
  ];
}
