/**
 * Every ticket, link, token and secret: expired, forged, revoked, for another file or organisation, and each of them
 * used in place of another. A new one fails here until it is listed.
 */
import { encodingApiRoutes } from '@recodery/contract/encoding-api/routes';
import { routes } from '@recodery/contract/routes';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bearerOf } from '../fixtures/sign-in/bearer.ts';
import { createTickets } from '../../src/slots/sending/tickets.ts';
import { declaredPlaces } from './ask.ts';
import { createClientCredentials, createSessionCredentials } from './caller-credentials.ts';
import { answerTo, type Credential, forge, unprintable } from './credential.ts';
import { openState } from './database-state.ts';
import { createLinkCredentials, createTicketCredentials } from './file-credentials.ts';
import {
  createCodeCredentials,
  createInvitationCredentials,
  createMemoryCredentials,
  createPassCredentials,
  createSsoCredentials,
} from './sign-in-credentials.ts';
import { setUpTwoOrganisations, type TwoOrganisations } from './two-organisations.ts';
import { writeReport } from './write-report.ts';

let setup: TwoOrganisations;
let all: readonly Credential[];
beforeAll(async () => {
  setup = await setUpTwoOrganisations({ RECODERY_DEMO: 'on' });
  all = [
    ...(await createTicketCredentials(setup)),
    ...(await createLinkCredentials(setup)),
    ...(await createSessionCredentials(setup, await setup.portal.signIn('luca@demo.test'))),
    ...createClientCredentials(setup),
    ...(await createSsoCredentials(setup)),
    ...(await createMemoryCredentials(setup)),
    ...(await createCodeCredentials(setup)),
    ...(await createInvitationCredentials(setup)),
    ...(await createPassCredentials(setup)),
  ];
});
afterAll(async () => {
  await setup.portal.stop();
  await writeReport(
    'credentials',
    all.map(({ title, value, refused, others, endings = {} }) => ({
      title,
      refused: refused[0],
      forged: Object.keys(forge(value)).length,
      elsewhere: all.filter((one) => one.value !== value).length,
      others: Object.keys(others),
      endings: Object.entries(endings).map(([name, { answer }]) => [name, answer ?? refused[0]]),
    })),
  );
});

/** Sources whose values are never presented to the server, or that are tested in other files. */
const notPresented: Readonly<Record<string, string>> = {
  'wrapped_key proof': 'proves that the installation secret is the right one',
  'wrapped_key master': 'seals files',
  'wrapped_key id-file': 'seals ID files',
  'wrapped_key engine': "credentials for a maker's service",
  'wrapped_key engine-context': 'seals what engines keep',
  'wrapped_key client-webhook': 'signs what the portal sends',
  'wrapped_key webhook-endpoint': 'signs what the portal sends',
  'wrapped_key receipt': 'signs receipts: receipts/receipts.test.ts',
  'wrapped_key authenticator-app': 'seals the secrets of authenticator apps',
  'authenticator_app.sealed_secret': 'codes of apps: sign-in/factors/authenticator-apps.test.ts',
  'recovery_code.code_hash': 'recovery codes: sign-in/factors/authenticator-apps.test.ts',
  'audit_entry.hash': 'binds the entries of the audit trail',
  'setup_link.token_hash': 'only without users: administration/setup/setup.test.ts',
  'account.password_hash': 'passwords: sign-in/guessing.test.ts',
  'idempotency_key.content_hash': 'compares requests of one client: clients/idempotency.test.ts',
};

/** Of the session's own user: administration/account/account.test.ts. */
const passwords = ['oldPassword', 'newPassword', 'password'];

/**
 * Parameters that the contract masks in logs although they authenticate no one. A receipt may be read by anyone who has
 * its code or its file: receipts/receipts.test.ts.
 * `secret` is a vendor's, which the server presents there.
 */
const labels = ['userCode', 'code', 'sha256', 'secret', ...passwords];

/** The credentials whose value differs. */
const othersThan = ({ value }: Credential) => all.filter((one) => one.value !== value);

/** Responses that are not refusals of this credential. */
async function unrefused(
  credential: Credential,
  values: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [words, value] of Object.entries(values)) {
    const answer = await answerTo(setup.app, credential, value);
    if (!credential.refused.includes(answer))
      wrong.push(`${credential.title}, ${words}: ${answer}`);
  }
  return wrong;
}

/** Runs a check of each credential, which returns what is wrong; nothing may have changed afterward. */
async function expectOfEach(
  check: (credential: Credential) => Promise<readonly string[]>,
): Promise<void> {
  // credentials are made invalid for a moment
  const read = await openState(setup.portal.platform, () => true);
  const before = await read();
  const wrong: string[] = [];
  for (const credential of all) wrong.push(...(await check(credential)));
  const after = await read();
  const changes = Object.keys(after).filter((name) => after[name] !== before[name]);
  expect({ wrong, changes }).toEqual({ wrong: [], changes: [] });
}

test('every secret that the server checks is listed', async () => {
  const { db } = setup.portal.platform;
  const { rows: purposes } = await sql<{ name: string }>`
    select distinct 'wrapped_key ' || split_part(purpose, ':', 1) as name from wrapped_key`.execute(
    db,
  );
  const { rows: columns } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name ~ '(hash|token|secret|password)'
      and data_type in ('bytea', 'text') and column_name <> 'id_token'`.execute(db);
  const listed = new Set([...all.flatMap(({ sources }) => sources), ...Object.keys(notPresented)]);
  const found = [...purposes, ...columns].map(({ name }) => name);
  expect(found.filter((name) => !listed.has(name))).toEqual([]);
});

test('every secret parameter of the contract is listed', () => {
  const secret = [...routes.values(), ...encodingApiRoutes.values()].flatMap((route) => [
    ...(route.parts.secret ?? []),
    ...declaredPlaces(route)
      .map((place) => place.replace(/^\w+\./, ''))
      .filter((name) => /ticket|token|secret|password/i.test(name)),
  ]);
  const listed = new Set([...all.flatMap(({ places }) => places), ...labels]);
  expect(secret.filter((name) => !listed.has(name))).toEqual([]);
});

// promise d6.files.ticket-bound
test('refuses every forged value', async () => {
  await expectOfEach(async (credential) => {
    const isInHeader = credential.present('').headers !== undefined;
    const odd = Object.entries(unprintable).map(([words, change]): [string, string] => [
      words,
      change(credential.value),
    ]);
    const forged = forge(credential.value);
    return unrefused(credential, { ...forged, ...(isInHeader ? {} : Object.fromEntries(odd)) });
  });
});

// promise d6.files.ticket-bound
test('refuses what has expired, was revoked, or is for another file, organisation or user', async () => {
  await expectOfEach((credential) => unrefused(credential, credential.others));
});

test('refuses each where another is expected', async () => {
  await expectOfEach((credential) => {
    const values = othersThan(credential).map(({ title, value }) => [title, value]);
    return unrefused(credential, Object.fromEntries(values));
  });
});

test('refuses a ticket of all components under the address of another family', async () => {
  const { mintZipURL } = createTickets(setup.portal.platform);
  const { owner } = setup;
  const url = await mintZipURL(
    bearerOf(owner.organisation),
    'kess3',
    owner.slots.kess3Components.slot,
  );
  expect((await setup.app.inject({ url })).statusCode).toBe(200);
  expect((await setup.app.inject({ url: url.replace('/kess3/', '/ktag/') })).body).toBe(
    'NOT_FOUND',
  );
});

// promise d6.files.revoked
test('refuses each while it is not valid, with the defined response', async () => {
  await expectOfEach(async (credential) => {
    const found: string[] = [];
    for (const [words, { end, undo, answer }] of Object.entries(credential.endings ?? {})) {
      await end();
      const given = await answerTo(setup.app, credential, credential.value).finally(undo);
      const isRight = answer === undefined ? credential.refused[0] === given : answer === given;
      if (!isRight) found.push(`${credential.title}, ${words}: ${given}`);
    }
    return found;
  });
});

test('accepts each that is valid, and those that work once only once', async () => {
  const wrong: string[] = [];
  for (const credential of all) {
    const { title, value, granted, refused, isSpent } = credential;
    const given = await answerTo(setup.app, credential, value);
    if (given !== granted) wrong.push(`${title}: ${given}`);
    if (isSpent !== true) continue;
    const again = await answerTo(setup.app, credential, value);
    if (!refused.includes(again)) wrong.push(`${title}, used again: ${again}`);
  }
  expect(wrong).toEqual([]);
});
