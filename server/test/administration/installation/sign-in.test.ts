/** Where users sign in, and why sign-ins failed, as operators see it over HTTP. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createFailureRecorder,
  keptFailures,
  listFailures,
  sweepSignInFailures,
} from '../../../src/sign-in/failures.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

const zero = '00000000-0000-0000-0000-000000000000';
let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
});
afterAll(() => portal.stop());

// promise d4.sign-in.provider
test('the built-in provider is shown with what it offers, and has nothing to test', async () => {
  const { json } = await olga.get(`/api/admin/sign-in/${zero}`);
  expect(json).toMatchObject({
    provider: 'built-in',
    source: 'default',
    issuer: `${portal.platform.config.publicUrl}/idp`,
    redirectAddress: null,
    sendsPasswords: false,
  });
  const { status } = await olga.call('POST', `/api/admin/sign-in/${zero}/test`, {});
  expect(status).toBe(404);
});

// promise d4.sign-in.failures
describe('failed sign-ins', () => {
  test('are listed with the reason, the user and the answer of the provider', async () => {
    const { record, flush } = createFailureRecorder(portal.platform);
    const { db } = portal.platform;
    const { guid } = await db
      .selectFrom('account')
      .select('guid')
      .where('email', '=', 'anna@demo.test')
      .executeTakeFirstOrThrow();
    record({ reason: 'wrong-password', accountGuid: guid, address: '203.0.113.7' });
    // each is recorded in the background
    await flush();
    const detail = 'access_denied: the user\u0000has\ncancelled';
    record({ reason: 'refused', address: '203.0.113.8', detail });
    await flush();
    const { json } = await olga.get('/api/admin/sign-in-failures');
    expect(json).toMatchObject({
      items: [
        {
          reason: 'refused',
          email: null,
          address: '203.0.113.8',
          detail: 'access_denied: the user has cancelled',
        },
        { reason: 'wrong-password', email: 'anna@demo.test', address: '203.0.113.7' },
      ],
    });
    const found = await olga.get('/api/admin/sign-in-failures?search=ANNA');
    expect((found.json as { items: object[] }).items).toHaveLength(1);
    const filtered = await olga.get('/api/admin/sign-in-failures?reason=refused');
    expect((filtered.json as { items: object[] }).items).toHaveLength(1);
  });

  test('of one reason never hide those of another, and a portal records a few per minute', async () => {
    const { db, log } = portal.platform;
    let minute = 0;
    const { record, flush } = createFailureRecorder({ db, log }, () => minute * 60_000);
    for (; minute < keptFailures.ofReason / 30 + 1; minute += 1) {
      for (let at = 0; at < 40; at += 1) {
        record({ reason: 'expired', address: `::${minute}:${at}` });
      }
      await flush();
      if (minute === 0)
        expect(await listFailures(db, { reason: 'expired', count: 1000 })).toHaveLength(30);
    }
    await sweepSignInFailures(db);
    expect(await listFailures(db, { reason: 'expired', count: 1000 })).toHaveLength(
      keptFailures.ofReason,
    );
    expect(await listFailures(db, { reason: 'refused', count: 1000 })).toHaveLength(1);
  });

  test('that cannot be recorded change nothing for the user', async () => {
    const { log } = portal.platform;
    const broken = createFailureRecorder({ db: {} as never, log });
    broken.record({ reason: 'failed', address: '::1' });
    await expect(broken.flush()).resolves.toBeUndefined();
  });

  test('with a wrong password count together with those at unknown addresses, and hold up no response', async () => {
    const { log } = portal.platform;
    const insert = vi.fn<(table: string) => never>(() => {
      throw new Error('slow');
    });
    const { record, flush } = createFailureRecorder(
      { db: { insertInto: insert } as never, log },
      () => 0,
    );
    for (let at = 0; at < 40; at += 1)
      expect(record({ reason: 'wrong-password', address: `::${at}` })).toBeUndefined();
    record({ reason: 'unknown-address', address: '::ffff' });
    await flush();
    expect(insert).toHaveBeenCalledTimes(30);
  });

  test('of one network address are few, so that others stay', async () => {
    const { log } = portal.platform;
    const insert = vi.fn<(table: string) => never>(() => {
      throw new Error('none');
    });
    const { record, flush } = createFailureRecorder(
      { db: { insertInto: insert } as never, log },
      () => 0,
    );
    for (let at = 0; at < 30; at += 1) record({ reason: 'refused', address: '::1' });
    record({ reason: 'refused', address: '::2' });
    await flush();
    expect(insert).toHaveBeenCalledTimes(21);
  });
});
