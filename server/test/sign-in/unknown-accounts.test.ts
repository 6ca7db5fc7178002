/** Sign-in does not reveal which accounts exist: for all addresses, the work, the traces and the limits are the same. */
import { createHook } from 'node:async_hooks';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import type { TestPlatform } from '../fixtures/test-platform.ts';
import type { AttemptPace } from '../../src/sign-in/provider/record-attempts.ts';
import { Browser } from './browser.ts';
import {
  createPlatformWithAccounts,
  goToForm,
  type OpenPortal,
  openPortal,
} from './open-portal.ts';

let platform: TestPlatform;
let portal: OpenPortal;
/** The kinds of statements since the last attempt began, in order. */
let statements: string[] = [];
/** Passwords that were hashed since then. */
let hashes = 0;

const counting: KyselyPlugin = {
  transformQuery({ node }) {
    // the failure for operators is recorded while the response is sent, with one limit for all addresses
    const isFailure =
      node.kind === 'InsertQueryNode' && JSON.stringify(node.into).includes('sign_in_failure');
    if (!isFailure) statements.push(node.kind);
    return node;
  },
  transformResult: async ({ result }) => result,
};
const hook = createHook({
  init(_id, type) {
    if (type === 'SCRYPTREQUEST') hashes += 1;
  },
});

beforeAll(async () => {
  platform = await createPlatformWithAccounts();
  const db = platform.db.withPlugin(counting);
  const execute = db.executeQuery.bind(db);
  // a statement that is built once passes the plugin only then
  db.executeQuery = (query, ...rest) => {
    statements.push('sql' in query ? query.sql : query.compile().sql);
    return execute(query, ...rest);
  };
  const counted = { ...platform, db };
  const passwordPlaces = { atOnce: 2, waitMs: 600_000, mostWaiting: 60 };
  portal = await openPortal(counted, await freePort(), { passwordPlaces });
  hook.enable();
  // builds those statements
  await (await openForm())(existing, 'guess');
});
afterEach(() => sql`truncate sign_in_attempt`.execute(platform.db));
afterAll(async () => {
  hook.disable();
  await portal?.app.close();
  await platform?.stop();
});

async function openForm(url = portal.url) {
  const browser = new Browser(url);
  const form = await goToForm(browser);
  return async (email: string, typed: string) => {
    statements = [];
    hashes = 0;
    const { status } = await browser.submit(form, { email, password: typed });
    return { status, hashes, statements };
  };
}

const existing = 'mia@shop.test';
const unknown: readonly (readonly [string, string])[] = [
  ['an unknown account', 'nobody@shop.test'],
  ['an account without a password', 'olga@shop.test'],
  ['a letter that other programs fold', 'mİa@shop.test'],
  ['a Kelvin sign', 'mi\u{212a}@shop.test'],
  ['characters that the database does not store', 'mia\0@shop.test'],
  ['an address that is too long', `${'m'.repeat(300)}@shop.test`],
  ['spaces around it', `   ${existing}${' '.repeat(300)}`],
];

describe('an attempt with a wrong password, compared with one at an existing account', () => {
  test.each(unknown)('costs the same for %s', async (_what, email) => {
    const attempt = await openForm();
    for (const typed of ['guess', 'long '.repeat(100)]) {
      const right = await attempt(existing, typed);
      expect(right).toMatchObject({ status: 200, hashes: 1 });
      expect(await attempt(email, typed)).toEqual(right);
    }
  });

  test('has the same number of tries for a letter that other programs fold', async () => {
    const attempt = await openForm();
    const tries = async (address: string) => {
      const seen: number[] = [];
      for (let count = 0; count < 9; count += 1)
        seen.push((await attempt(address, 'guess')).status);
      return seen;
    };
    expect(await tries('mİa@shop.test')).toEqual(await tries(existing));
  });

  test('has no further tries with spaces around the address', async () => {
    const attempt = await openForm();
    for (let count = 0; count < 8; count += 1) await attempt(existing, 'guess');
    expect((await attempt(existing + ' '.repeat(300), 'guess')).status).toBe(429);
  });

  test('is in the audit trail, without what was typed', async () => {
    const attempt = await openForm();
    await sql`truncate audit_waiting`.execute(platform.db);
    await attempt('nobody@shop.test', 'guess');
    await attempt(existing, 'guess');
    const { rows } = await sql<{ entry: string }>`
      select entry from audit_waiting order by waits_since, guid`.execute(platform.db);
    const { guid: account } = await platform.db
      .selectFrom('account')
      .select('guid')
      .where('email', '=', existing)
      .executeTakeFirstOrThrow();
    const failed = { action: 'sign-in', actor: { kind: 'anyone' }, outcome: 'wrong' };
    expect(rows.map(({ entry }) => JSON.parse(entry) as unknown)).toEqual([
      { on: expect.any(String), from: '127.0.0.1', object: { account: null }, ...failed },
      { on: expect.any(String), from: '127.0.0.1', object: { account }, ...failed },
    ]);
  });
});

describe('wrong passwords at many accounts', () => {
  /** The objects of the entries of wrong passwords. */
  async function listEntries(): Promise<readonly Record<string, unknown>[]> {
    const { rows } = await sql<{ object: Record<string, unknown> }>`
      select entry::jsonb -> 'object' as object from audit_waiting
      where entry::jsonb ->> 'outcome' = 'wrong' order by waits_since, guid`.execute(platform.db);
    return rows.map(({ object }) => object);
  }
  async function attemptAll(attemptPace: AttemptPace, names: readonly string[]) {
    const other = await openPortal(platform, await freePort(), { attemptPace });
    await sql`truncate audit_waiting`.execute(platform.db);
    const attempt = await openForm(other.url);
    for (const name of names) expect((await attempt(name, 'guess')).status).toBe(200);
    return other;
  }
  const names = ['one', 'two', 'three', 'four'].map((name) => `${name}@shop.test`);

  // promise d4.sign-in.trail
  test('share a limit of audit entries, and one entry counts the others', async () => {
    const other = await attemptAll({ entries: 2, periodMs: 3_600_000 }, names);
    expect(await listEntries()).toEqual([{ account: null }, { account: null }]);
    await other.app.close();
    expect(await listEntries()).toEqual([
      { account: null },
      { account: null },
      { unrecordedAttempts: 2 },
    ]);
  });

  test('are counted in the trail soon after the last one', async () => {
    const other = await attemptAll({ entries: 1, periodMs: 400 }, names);
    const count = async () =>
      (await listEntries()).reduce(
        (total, { unrecordedAttempts }) => total + Number(unrecordedAttempts ?? 1),
        0,
      );
    await expect.poll(count).toBe(names.length);
    await other.app.close();
    expect(await count()).toBe(names.length);
  });
});
