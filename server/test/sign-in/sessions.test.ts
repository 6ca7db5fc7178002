/** The lifetime of a session, the renewal of its ID, and what it allows. */
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Session } from '@recodery/contract/features/session';
import { sessionHeader } from '@recodery/contract/headers';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { isPassive } from '../../src/sign-in/passive-calls.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { authenticate } from '../../src/sign-in/sessions.ts';
import { Browser, type Seen } from './browser.ts';
import { freePort } from '../fixtures/free-port.ts';
import { beginSession, openPortal, startPortalWithAccounts } from './open-portal.ts';

const { platform, portal } = await startPortalWithAccounts();

const call = (path: string, id: string, method = 'GET'): Promise<Seen> =>
  new Browser(portal.url).send(`/api/auth/${path}`, {
    method,
    headers: { 'x-recodery-session': id },
  });
const look = (id: string): Promise<Seen> => call(`session/${id}`, id);
const begin = (): Promise<Session> => beginSession(platform, 'anna@shop.test');
const renewed = (seen: Seen): string | null => seen.headers.get('x-recodery-session');

/** Lets time pass for every session: the database's clock decides, so the tests move its times. */
async function pass(
  time: string,
  column: 'generation_on' | 'generation_presented_on' | 'last_active_on' | 'created_on',
  db: Db = platform.db,
): Promise<void> {
  const moved: RawBuilder<Date> = sql`${sql.ref(column)} - ${time}::interval`;
  await db
    .updateTable('session')
    .set({ [column]: moved })
    .execute();
}

/**
 * Stops the clock: in a transaction, the database always reports the time of its start, however busy the machine is.
 * `ask` authenticates a call; the ID to use from now on if it differs.
 */
async function atOneMoment(
  work: (trx: Db, ask: (id: string) => Promise<string | null>) => Promise<void>,
): Promise<void> {
  await platform.db.transaction().execute((trx) =>
    work(trx, async (id) => {
      const { renewedSession } = await authenticate({ ...platform, db: trx }, id, true);
      return renewedSession;
    }),
  );
}

describe('the ID', () => {
  // promise d4.session.successor
  test('stays the same for 15 minutes', async () => {
    const { sessionID } = await begin();
    await pass('14 minutes', 'generation_on');
    const seen = await look(sessionID);
    expect(seen.status).toBe(200);
    expect(renewed(seen)).toBeNull();
    expect(JSON.parse(seen.text).sessionID).toBe(sessionID);
    await atOneMoment(async (trx, ask) => {
      await sql`update session set generation_on = now() - interval '14 minutes 59 seconds'`.execute(
        trx,
      );
      expect(await ask(sessionID)).toBeNull();
    });
  });

  // promise 7.general.renewed, d4.session.successor
  test('is then renewed, with the same successor for all concurrent tabs', async () => {
    const { sessionID } = await begin();
    await pass('15 minutes', 'generation_on');
    const seen = await Promise.all([look(sessionID), look(sessionID), look(sessionID)]);
    const successors = new Set(seen.map(renewed));
    expect(successors.size).toBe(1);
    const [successor] = successors;
    expect(successor).not.toBe(sessionID);
    expect((await look(successor ?? '')).status).toBe(200);
  });

  // promise d4.session.old
  test('works for 60 seconds after its successor was first used, then expires', async () => {
    const { sessionID } = await begin();
    await pass('15 minutes', 'generation_on');
    const successor = renewed(await look(sessionID)) ?? '';
    // A page that was left open: no one has received the successor yet.
    expect(renewed(await look(sessionID))).toBe(successor);
    await atOneMoment(async (trx, ask) => {
      expect(await ask(successor)).toBeNull();
      await pass('59 seconds', 'generation_presented_on', trx);
      expect(await ask(sessionID)).toBe(successor);
      await pass('1 second', 'generation_presented_on', trx);
      await expect(ask(sessionID)).rejects.toMatchObject({ code: 'API_ERROR_UNAUTHORIZED' });
    });
    expect((await look(sessionID)).status).toBe(401);
    expect((await look(successor)).status).toBe(200);
  });

  test('expires immediately if it is two generations old', async () => {
    const { sessionID } = await begin();
    await pass('15 minutes', 'generation_on');
    const second = renewed(await look(sessionID)) ?? '';
    await look(second);
    await pass('15 minutes', 'generation_on');
    const third = renewed(await look(second)) ?? '';
    expect(new Set([sessionID, second, third]).size).toBe(3);
    expect((await look(sessionID)).status).toBe(401);
    expect((await look(third)).status).toBe(200);
  });

  test('cannot be forged or changed', async () => {
    const { sessionID } = await begin();
    const bytes = Buffer.from(sessionID, 'base64url');
    const flipped = [0, 19, 20, 51].map((at) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      return changed.toString('base64url');
    });
    // the same bytes, spelled differently: base64url leaves bits of the last character unused
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spelt = [...letters]
      .map((last) => sessionID.slice(0, -1) + last)
      .filter((id) => id !== sessionID && Buffer.from(id, 'base64url').equals(bytes));
    expect(spelt).toHaveLength(15);
    for (const id of [
      '',
      'x',
      ...spelt,
      `${sessionID}A`,
      sessionID.slice(1),
      'A'.repeat(70),
      ...flipped,
    ])
      expect((await look(id)).status).toBe(id === '' ? 404 : 401);
  });
});

describe('the session', () => {
  // promise d4.session.idle
  test('expires after 8 hours without user activity', async () => {
    const { sessionID } = await begin();
    await pass('7 hours 59 minutes', 'last_active_on');
    expect((await look(sessionID)).status).toBe(200);
    await pass('7 hours 59 minutes', 'last_active_on');
    expect((await look(sessionID)).status).toBe(200);
    await pass('8 hours', 'last_active_on');
    const seen = await look(sessionID);
    expect(seen.status).toBe(401);
    expect(seen.text).toBe('API_ERROR_UNAUTHORIZED');
  });

  // promise d4.session.idle
  test('is not extended by streams and polling', async () => {
    const { sessionID } = await begin();
    await pass('7 hours 59 minutes', 'last_active_on');
    await authenticate(platform, sessionID, false);
    await pass('1 minute', 'last_active_on');
    expect((await look(sessionID)).status).toBe(401);
  });

  test.each([
    ['GET', '/api/events', true],
    ['GET', '/api/async-operations/01900000-0000-7000-8000-000000000001', true],
    ['GET', '/api/async-operation-notifications/?count=20', true],
    ['GET', '/api/maestro-checkup/status', true],
    ['GET', '/api/comunication-messages/message?i_twoLetterCode=it', true],
    ['POST', '/api/async-operation-notifications/1/mark-as-read/sender', false],
    ['GET', '/api/kessv2?x=/api/events', false],
    ['GET', '/api/operations?count=6', true],
    ['GET', '/api/jobs', false],
    ['POST', '/api/kessv2/upload-read-file', false],
  ])('treats %s %s as a background call: %s', (method, url, isOwn) => {
    expect(isPassive(method, url)).toBe(isOwn);
  });

  // promise d4.session.day
  test('expires after 24 hours regardless of activity', async () => {
    const { sessionID } = await begin();
    await pass('23 hours 59 minutes', 'created_on');
    expect((await look(sessionID)).status).toBe(200);
    await pass('1 minute', 'created_on');
    expect((await look(sessionID)).status).toBe(401);
  });

  // promise 4.session.logout
  test('ends with a sign-out, in every tab', async () => {
    const [one, other] = [await begin(), await begin()];
    expect((await call(`session/${one.sessionID}/logout`, one.sessionID, 'POST')).status).toBe(200);
    expect((await look(one.sessionID)).status).toBe(401);
    expect((await look(other.sessionID)).status).toBe(200);
  });

  // promise 8.http.422
  test('redirects the browser to the provider when it must be verified again', async () => {
    const { sessionID } = await begin();
    await platform.db.updateTable('session').set({ must_sign_in_again: true }).execute();
    const seen = await look(sessionID);
    expect(seen.status).toBe(422);
    await platform.db.updateTable('session').set({ must_sign_in_again: false }).execute();
  });

  // promise 7.around.session, d4.session.path-equals-header
  test('cannot be read, switched or ended by another user', async () => {
    const [mine, others] = [await begin(), await begin()];
    for (const [path, method] of [
      ['', 'GET'],
      ['/switch-customer-code/CC-2', 'POST'],
      ['/logout', 'POST'],
    ] as const) {
      const seen = await call(`session/${others.sessionID}${path}`, mine.sessionID, method);
      expect(seen.status).toBe(401);
    }
    expect(JSON.parse((await look(others.sessionID)).text).customerCode).toBe('CC-1');
  });

  // promise d4.session.culture
  test('has the account’s language, else that of the request, else en-US', async () => {
    const cultureOf = async ({ sessionID }: Session, headers: Record<string, string>) => {
      const seen = await new Browser(portal.url).send(`/api/auth/session/${sessionID}`, {
        headers: { 'x-recodery-session': sessionID, ...headers },
      });
      return JSON.parse(seen.text).culture;
    };
    const german = { 'accept-language': 'de-AT, en;q=0.8' };
    expect(await cultureOf(await beginSession(platform, 'mia@shop.test'), german)).toBe('it-IT');
    expect(await cultureOf(await begin(), german)).toBe('de-DE');
    expect(await cultureOf(await begin(), { 'accept-language': 'fi' })).toBe('en-US');
    expect((await begin()).culture).toBe('en-US');
  });
});

describe('the customer code', () => {
  // promise 1.work.switch-code, 7.around.switch, d4.session.switch-keeps
  test("can be switched within the same session, only to one of the user's codes", async () => {
    const { sessionID } = await begin();
    const to = (code: string): Promise<Seen> =>
      call(`session/${sessionID}/switch-customer-code/${code}`, sessionID, 'POST');
    const seen = await to('CC-2');
    expect(seen.status).toBe(200);
    expect(JSON.parse(seen.text)).toMatchObject({
      sessionID,
      customerCode: 'CC-2',
      otherCustomerCodes: ['CC-1'],
      userOrganizationLogoURL: null,
      groupCodesInfo: [],
      canReceive: true,
    });
    for (const code of ['CC-3', 'CC-99', '%00']) expect((await to(code)).status).toBe(404);
    expect(JSON.parse((await look(sessionID)).text).customerCode).toBe('CC-2');
  });

  // promise d5.rights.running
  test("ends the user's sessions with it when it is revoked", async () => {
    const { sessionID } = await beginSession(platform, 'demo@shop.test');
    await applyDirectory(platform, {
      users: [{ email: 'demo@shop.test', customerCodes: ['CC-2'] }],
    });
    expect((await look(sessionID)).status).toBe(401);
  });
});

describe('the terms of use', () => {
  // promise 2.terms.asked, 7.around.terms-register
  test('must be accepted once per version', async () => {
    const { sessionID } = await begin();
    expect((await call('tou/has-accepted', sessionID)).text).toBe('false');
    expect((await call('tou/register', sessionID, 'POST')).status).toBe(204);
    expect((await call('tou/register', sessionID, 'POST')).status).toBe(204);
    expect((await call('tou/has-accepted', sessionID)).text).toBe('true');
    const next = await openPortal(platform, await freePort(), { termsVersion: 'second' });
    const ask = (path: string, method = 'GET') =>
      fetch(`${next.url}/api/auth/tou/${path}`, {
        method,
        headers: { [sessionHeader]: sessionID },
      });
    expect(await (await ask('has-accepted')).json()).toBe(false);
    // a page that still shows the first version
    const outdated = await ask('register?version=first', 'POST');
    expect([outdated.status, await outdated.text()]).toEqual([409, 'TERMS_CHANGED']);
    expect(await (await ask('has-accepted')).json()).toBe(false);
    expect((await ask('register?version=second', 'POST')).status).toBe(204);
    expect(await (await ask('has-accepted')).json()).toBe(true);
    await next.app.close();
  });
});
