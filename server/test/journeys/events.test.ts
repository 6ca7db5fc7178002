/** The event stream: first the state, then the changes, only for the caller's organisation, until the session ends. */
import type { Slave } from '@recodery/codec/simulator/slave';
import type { Operation } from '@recodery/contract/features/operations';
import type { Notification } from '@recodery/contract/features/notifications';
import type { Session } from '@recodery/contract/features/session';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { setMaintenance } from '../../src/service-status/maintenance.ts';
import { requireSignInAgain } from '../../src/sign-in/sessions.ts';
import type { Client, ReceivedEvent } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, sealImage, started, uploadRead } from './families/kessv2-workflow.ts';

let portal: RunningPortal;
let slave: Slave;
beforeAll(async () => {
  portal = await startTestPortal();
  slave = await portal.getSlave('kessv2', 'KV2-000007');
});
afterAll(() => portal.stop());

const accountOf = (email: string) =>
  portal.platform.db
    .selectFrom('account')
    .select('guid')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();

const read = () => sealImage(slave, 9000, new Uint8Array(1024));

/** The next event with this name whose record meets the condition. */
async function next<T>(
  client: Client,
  name: string,
  isIt: (record: T) => boolean = () => true,
): Promise<{ readonly arrived: Promise<T> }> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const stop = await client.listen((event) => {
    const record = event.record as T;
    if (event.name === name && isIt(record)) resolve(record);
  });
  // wrapped, so that awaiting the subscription does not await the event
  return { arrived: promise.finally(stop) };
}

describe('on connecting', () => {
  // promise d6.push.on-connect
  test('recently finished operations are sent first, with working addresses', async () => {
    const anna = await portal.signIn('anna@demo.test');
    const { kessv2SlotGUID } = await decode(anna, read());
    const reloaded = await portal.signIn('anna@demo.test');
    const names: string[] = [];
    await reloaded.listen(({ name }) => names.push(name));
    const isIt = ({ slotGUID }: Operation) => slotGUID === kessv2SlotGUID;
    const { arrived } = await next<Operation>(reloaded, 'operation', isIt);
    const { result, isSuccessful } = await arrived;
    expect(isSuccessful).toBe(true);
    const { decodedFileURL } = result as { decodedFileURL: string };
    expect((await reloaded.get(decodedFileURL)).status).toBe(200);
    expect(names[0]).toBe('operation');
  });

  test('the session is sent as it is then, because it may have changed since the page read it', async () => {
    const { db } = portal.platform;
    const anna = await portal.signIn('anna@demo.test');
    const rename = (name: string) =>
      db.updateTable('organisation').set({ name }).where('customer_code', '=', 'CC-1001').execute();
    // as by a portal whose announcement this stream has missed
    await rename('Officina Nuova');
    const { arrived } = await next<Session>(anna, 'session');
    expect((await arrived).customerCodeNames).toMatchObject({ 'CC-1001': 'Officina Nuova' });
    await rename('Officina Demo');
  });

  test('the newest notification of the last minute is sent, and no older one', async () => {
    const mia = await portal.signIn('mia@demo.test');
    const others = await portal.getSlave('kessv2', 'KV2-003003');
    await decode(mia, sealImage(others, 9000, new Uint8Array(1024)));
    const { json } = await mia.get('/api/async-operation-notifications/?count=1');
    const [newest] = json as Notification[];
    if (newest === undefined) throw new Error('the decode has no notification');
    /** The events with which the stream of a new page begins: the session is the last of them. */
    const begin = async (): Promise<readonly ReceivedEvent[]> => {
      const events: ReceivedEvent[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      const page = await portal.signIn('mia@demo.test');
      await page.listen((event) => {
        events.push(event);
        if (event.name === 'session') resolve();
      });
      await promise;
      return events.filter(({ name }) => name === 'notification');
    };
    const { db, clock } = portal.platform;
    const moveTo = (seconds: number) =>
      db
        .updateTable('notification')
        .set({ completed_on: new Date(clock.now().getTime() + seconds * 1000) })
        .where('guid', '=', newest.guid)
        .execute();
    // however long the decode has been over
    await moveTo(3600);
    expect((await begin()).at(0)).toMatchObject({ record: { guid: newest.guid } });
    await moveTo(-61);
    expect(await begin()).toEqual([]);
  });

  // promise d6.push.own
  test('each of two accounts receives only events of its organisation', async () => {
    const [anna, mia] = [
      await portal.signIn('anna@demo.test'),
      await portal.signIn('mia@demo.test'),
    ];
    const received: ReceivedEvent[] = [];
    await mia.listen((event) => received.push(event));
    const others = await portal.getSlave('kessv2', 'KV2-003003');
    await decode(anna, read());
    // when mia has received her own, she would have received anna's before
    await decode(mia, sealImage(others, 9000, new Uint8Array(1024)));
    const mine = new Set(received.map(({ record }) => (record as Operation).slotGUID));
    const slots = portal.platform.db.selectFrom('slot').select('guid');
    const own = await slots.where('slave_serial_number', '=', 'KV2-003003').execute();
    expect([...mine].filter((guid) => guid != null)).toEqual(own.map(({ guid }) => guid));
  });
});

describe('the stream', () => {
  test('announces an operation on a colleague’s page, too', async () => {
    const [one, other] = [
      await portal.signIn('anna@demo.test'),
      await portal.signIn('anna@demo.test'),
    ];
    const name = 'told to a colleague.tfc';
    const isIt = ({ result, isCompleted }: Operation) =>
      isCompleted && JSON.stringify(result).includes(name);
    const { arrived } = await next<Operation>(other, 'operation', isIt);
    const operation = started(await uploadRead(one, read(), name));
    expect(await arrived).toMatchObject({ guid: operation.guid, status: 'succeeded' });
  });

  test('announces the end of an operation on every open page of the organisation, and on no other', async () => {
    const pages = await Promise.all(
      Array.from({ length: 5 }, () => portal.signIn('anna@demo.test')),
    );
    const mia = await portal.signIn('mia@demo.test');
    const receivedByMia: ReceivedEvent[] = [];
    const stop = await mia.listen((event) => receivedByMia.push(event));
    const name = 'told to all.tfc';
    const isIt = ({ result, isCompleted }: Operation) =>
      isCompleted && JSON.stringify(result).includes(name);
    const arrived = await Promise.all(
      pages.map((page) => next<Operation>(page, 'operation', isIt)),
    );
    const [anna] = pages;
    if (anna === undefined) throw new Error('a user is missing');
    await decode(anna, read(), name);
    const records = await Promise.all(arrived.map(({ arrived: record }) => record));
    expect(records).toHaveLength(5);
    for (const record of records) expect(record).toEqual(records[0]);
    stop();
    expect(JSON.stringify(receivedByMia)).not.toContain(name);
  });

  test('announces that the service is suspended, and that it is available again', async () => {
    const anna = await portal.signIn('anna@demo.test');
    const suspended = await next(anna, 'service-status');
    await setMaintenance(portal.platform.db, true);
    expect(await suspended.arrived).toEqual({ statusCode: 503 });
    const back = await next(anna, 'service-status');
    await setMaintenance(portal.platform.db, false);
    expect(await back.arrived).toEqual({ statusCode: 200 });
  });

  // promise d6.push.ends
  test('ends with the session', async () => {
    const anna = await portal.signIn('anna@demo.test');
    await anna.listen(() => undefined);
    await anna.post(`/api/auth/session/${anna.sessionId}/logout`);
    await anna.ended;
    expect((await anna.get('/api/events')).status).toBe(401);
  });

  test('ends when its user must sign in again', async () => {
    const anna = await portal.signIn('anna@demo.test');
    await anna.listen(() => undefined);
    const { guid } = await accountOf('anna@demo.test');
    await requireSignInAgain(portal.platform.db, guid);
    await anna.ended;
    expect((await anna.get('/api/events')).status).toBe(422);
  });

  test('ends when the access to the portal is revoked, and every later call is refused', async () => {
    const luca = await portal.signIn('luca@demo.test');
    await luca.listen(() => undefined);
    expect((await luca.get('/api/kessv2')).text).not.toBe('USER_NO_RIGHTS');
    const grant = (portalAccess: boolean) =>
      applyDirectory(portal.platform, { users: [{ email: 'luca@demo.test', portalAccess }] });
    await grant(false);
    for (const path of ['/api/kessv2', '/api/ktag', '/api/kess3', '/api/kess3?mode=utility']) {
      const answer = await luca.get(path);
      expect([answer.status, answer.text]).toEqual([403, 'USER_NO_RIGHTS']);
    }
    await luca.ended;
    await grant(true);
  });

  test('announces a change of the customer code, and ends: the page reconnects as another caller', async () => {
    const anna = await portal.signIn('anna@demo.test');
    const isIt = ({ customerCode }: Session) => customerCode === 'CC-2002';
    const { arrived } = await next<Session>(anna, 'session', isIt);
    await anna.post(`/api/auth/session/${anna.sessionId}/switch-customer-code/CC-2002`);
    expect(await arrived).toMatchObject({ customerCode: 'CC-2002' });
    await anna.ended;
  });

  test('does not send operations to callers without access to the portal', async () => {
    const nora = await portal.signIn('nora@demo.test');
    const received: ReceivedEvent[] = [];
    await nora.listen((event) => received.push(event));
    const { arrived } = await next(nora, 'service-status');
    const anna = await portal.signIn('anna@demo.test');
    await decode(anna, read());
    await setMaintenance(portal.platform.db, true);
    await arrived;
    await setMaintenance(portal.platform.db, false);
    expect(received.map(({ name }) => name)).not.toContain('operation');
  });
});
