/** The terms of use that operators write in the browser, over HTTP: drafts, publishing, who accepted, the environment. */
import { config as configSchema } from '@recodery/contract/features/service-status';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '../../../src/audit/read-audit.ts';
import { appendWaiting } from '../../../src/audit/audit.ts';
import { acceptTerms } from '../../../src/sign-in/terms.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

const path = '/api/admin/terms';
const article = '# Terms\n\n## 1. Scope\n\nAll <b>files</b>.';

let portal: RunningPortal;
let olga: Client;
let mario: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
  mario = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

interface Version {
  readonly guid: string;
  readonly revision: string;
  readonly version: string;
  readonly state: string;
  readonly source: string;
  readonly acceptances: number;
}

async function send(client: Client, verb: string, at: string, body?: object, revision?: string) {
  const headers = {
    accept: 'application/problem+json, application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }),
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await client.call(verb, at, { ...sent, headers });
  return { status: answer.status, json: answer.text === '' ? null : JSON.parse(answer.text) };
}

async function versions(): Promise<readonly Version[]> {
  return ((await olga.get(path)).json as { items: readonly Version[] }).items;
}

async function publicConfig() {
  return configSchema.parse(await (await fetch(`${portal.url}/api/config`)).json());
}

async function guidOfUser(email: string): Promise<string> {
  const { guid } = await portal.platform.db
    .selectFrom('account')
    .where('email', '=', email)
    .select('guid')
    .executeTakeFirstOrThrow();
  return guid;
}

const hasAccepted = async (client: Client): Promise<unknown> =>
  (await client.get('/api/auth/tou/has-accepted')).json;

// promise d3.settings.terms-page
test('a published version is served, asks every user again, and records who accepted it', async () => {
  expect(await versions()).toMatchObject([{ state: 'current', source: 'default' }]);
  await send(mario, 'POST', '/api/auth/tou/register');
  expect(await hasAccepted(mario)).toBe(true);

  const made = await send(olga, 'POST', path, {
    version: '2027-01',
    articles: ['2', '7.1'],
    asksAgain: true,
    en: article,
  });
  expect([made.status, made.json.state]).toEqual([200, 'draft']);
  // a draft changes nothing for users
  expect(await hasAccepted(mario)).toBe(true);
  expect((await fetch(`${portal.url}/terms/en`)).status).toBe(404);

  const own = `${path}/${made.json.guid}`;
  expect((await send(olga, 'POST', `${own}/publish`)).json.item.state).toBe('current');
  const { terms, links } = await publicConfig();
  expect(terms).toEqual({ version: '2027-01', articles: ['2', '7.1'] });
  expect(new URL(links.terms).pathname).toBe('/terms/en');
  const page = await fetch(`${portal.url}/terms/it`);
  expect(page.headers.get('content-language')).toBe('en-US');
  expect(await page.text()).toContain('All &lt;b&gt;files&lt;/b&gt;.');

  expect(await hasAccepted(mario)).toBe(false);
  await send(mario, 'POST', '/api/auth/tou/register?version=2027-01');
  expect(await hasAccepted(mario)).toBe(true);
  expect((await versions()).find(({ version }) => version === '2027-01')).toMatchObject({
    acceptances: 1,
    source: 'page',
  });
  const { json } = await olga.get('/api/admin/acceptances?search=anna%202027-01');
  expect(json).toMatchObject({
    items: [{ email: 'anna@demo.test', version: '2027-01', acceptedOn: expect.any(String) }],
    next: null,
  });
});

// promise d3.settings.terms-fixed
test('what was published cannot be changed or removed, but copied', async () => {
  const [current] = (await versions()).filter(({ state }) => state === 'current');
  if (current === undefined) throw new Error('no version is current');
  const own = `${path}/${current.guid}`;
  const fixed = { details: { fields: { version: 'FIXED' } } };
  expect((await send(olga, 'PUT', own, { en: 'other' }, current.revision)).json).toMatchObject(
    fixed,
  );
  expect((await send(olga, 'DELETE', own)).json).toMatchObject(fixed);
  expect((await send(olga, 'POST', `${own}/publish`)).json).toMatchObject(fixed);
  const { json } = await send(olga, 'POST', `${own}/copy`);
  expect(json.item).toMatchObject({ state: 'draft', version: '2027-01 (2)', en: article });

  // a corrected typing error asks no one
  const draft = `${path}/${json.item.guid}`;
  const changed = { version: '2027-01a', asksAgain: false, en: `${article} Corrected.` };
  expect((await send(olga, 'PUT', draft, changed, json.item.revision)).status).toBe(200);
  expect((await send(olga, 'POST', `${draft}/publish`)).json.item.state).toBe('current');
  expect((await publicConfig()).terms.version).toBe('2027-01a');
  expect(await hasAccepted(mario)).toBe(true);
  const states = (await versions()).map(({ version, state }) => [version, state]);
  expect(states).toContainEqual(['2027-01', 'former']);
});

test('a version whose name users have accepted since it was drafted is not published', async () => {
  const draft = { version: 'accepted', articles: [], asksAgain: true, en: 'one' };
  const { json: made } = await send(olga, 'POST', path, draft);
  // as when the environment set a version of this name for a while
  await acceptTerms(portal.platform.db, await guidOfUser('anna@demo.test'), 'accepted');
  const { json } = await send(olga, 'POST', `${path}/${made.guid}/publish`);
  expect(json).toMatchObject({ details: { fields: { version: 'TAKEN' } } });
  await portal.platform.db
    .deleteFrom('terms_acceptance')
    .where('terms_version', '=', 'accepted')
    .execute();
  expect((await send(olga, 'DELETE', `${path}/${made.guid}`)).status).toBe(204);
});

test('a first version that does not ask again counts acceptances of the terms before it', async () => {
  const other = await startTestPortal({}, false);
  const operator = await other.signIn('olga@demo.test');
  const user = await other.signIn('anna@demo.test');
  await send(user, 'POST', '/api/auth/tou/register');
  const draft = { version: 'corrected', articles: [], asksAgain: false, en: 'one' };
  const { json: made } = await send(operator, 'POST', path, draft);
  const { json } = await send(operator, 'POST', `${path}/${made.guid}/publish`);
  expect(json.item.state).toBe('current');
  expect(await hasAccepted(user)).toBe(true);
  await other.stop();
});

// promise d3.settings.terms-conflict
test('of two operators who edit a draft, the second sees what the first saved', async () => {
  const draft = { version: 'draft', articles: [], asksAgain: true, en: 'one' };
  const { json: made } = await send(olga, 'POST', path, draft);
  const own = `${path}/${made.guid}`;
  expect((await send(olga, 'PUT', own, { en: 'two' }, made.revision)).status).toBe(200);
  const late = await send(olga, 'PUT', own, { en: 'three' }, made.revision);
  expect([late.status, late.json.details.current.en]).toEqual([412, 'two']);
  for (const taken of ['2027-01', '2026-11'])
    expect(
      (await send(olga, 'PUT', own, { version: taken }, late.json.details.current.revision)).json,
    ).toMatchObject({ details: { fields: { version: 'TAKEN' } } });
  expect((await send(olga, 'DELETE', own)).status).toBe(204);
  expect((await send(olga, 'POST', path, { ...draft, en: 'a\u202eb' })).json).toMatchObject({
    details: { fields: { en: 'INVALID' } },
  });
  const empty = (await send(olga, 'POST', path, { ...draft, en: null })).json;
  expect((await send(olga, 'POST', `${path}/${empty.guid}/publish`)).json).toMatchObject({
    details: { fields: { en: 'NO_TEXT' } },
  });
});

test('the audit trail names published versions, and records hashes in place of texts', async () => {
  const { db } = portal.platform;
  while ((await appendWaiting(db)) > 0);
  const found: string[] = [];
  for await (const { entry } of listAudit(db, { words: [], action: 'adminTerms' }))
    found.push(JSON.stringify(entry.object));
  expect(found.some((text) => text.includes('"state":["draft","current"]'))).toBe(true);
  expect(found.join('')).toMatch(/39 characters, SHA-256 [0-9a-f]{64}/);
  expect(found.join('')).not.toContain('All <b>files');
});

// promise d3.settings.terms-preview
test('a preview shows a text as its page without saving it, and without HTML of the text', async () => {
  const { json } = await send(olga, 'POST', '/api/admin/terms-preview', {
    language: 'it',
    text: '# Condizioni\n\n<script>x</script>',
  });
  expect(json.page).toContain('<h1>Condizioni</h1>');
  expect(json.page).toContain('&lt;script&gt;');
  expect(json.page).toContain('Indice');
  expect(json.page).not.toContain('<script');
});

// promise d3.settings.terms-environment
test('terms of the environment take precedence, and the page names the settings', async () => {
  const other = await startTestPortal(
    { RECODERY_TERMS_VERSION: '2028', RECODERY_TERMS_ARTICLES: 'none' },
    false,
  );
  const client = await other.signIn('olga@demo.test');
  const draft = { version: 'own', articles: [], asksAgain: true, en: article };
  const { json: made } = await send(client, 'POST', path, draft);
  expect((await send(client, 'POST', `${path}/${made.guid}/publish`)).json).toMatchObject({
    details: { fields: { version: 'FROM_ENVIRONMENT' } },
  });
  const { items } = (await client.get(path)).json as { items: readonly object[] };
  expect(items).toContainEqual(
    expect.objectContaining({
      version: '2028',
      state: 'current',
      source: 'environment',
      variables: ['RECODERY_TERMS_VERSION', 'RECODERY_TERMS_ARTICLES'],
    }),
  );
  await other.stop();
});
