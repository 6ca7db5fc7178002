/**
 * Notifications: who sees what of a finished operation, with which texts, and the effect of
 * marks.
 */
import { acceptEncoded } from '@recodery/codec/simulator/slave';
import { type Notification } from '@recodery/contract/features/notifications';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { textsByLocale } from '../../src/texts/texts.ts';
import type { Client } from '../fixtures/client.ts';
import { started, uploadRead } from '../journeys/families/kessv2-workflow.ts';
import {
  subscribeToNotices,
  listOf,
  noticeOf,
  type Sending,
  startSending,
  vin,
} from './sending-workshop.ts';

let sending: Sending;
let anna: Client;
let luca: Client;
let mia: Client;
beforeAll(async () => {
  sending = await startSending();
  ({ anna, luca, mia } = sending);
});
afterAll(() => sending.portal.stop());

const path = (guid: string, call: string) => `/api/async-operation-notifications/${guid}/${call}`;

async function age(guid: string, days: number): Promise<void> {
  const completed_on = sql<Date>`completed_on - make_interval(days => ${days})`;
  const { db } = sending.portal.platform;
  await db.updateTable('notification').set({ completed_on }).where('guid', '=', guid).execute();
}

describe('a finished operation', () => {
  // promise 2.notifications.item, 3.records.notification, d9.link.no-vin
  test('appears once for its sender, with the address of its file', async () => {
    const all = await listOf(anna);
    expect(all).toHaveLength(1);
    const [decoded] = all as [Notification];
    expect(decoded).toMatchObject({
      asyncOperationType: 'KESSv2Decode',
      isSuccessful: true,
      longMessage: 'golf.tfc · KV2-000007',
      deviceSerialNumber: 'KV2-000007',
      errorCode: null,
      errorDetail: null,
      errorCause: null,
      isSent: true,
      isReceived: false,
      isPrivate: true,
      otherOrganizationName: null,
      senderNotifiedOn: null,
      senderInteractedOn: null,
      receiverNotifiedOn: null,
      receiverInteractedOn: null,
      mail: null,
    });
    expect(decoded.targetURLFileName).toMatch(/^KESSv2_KV2-000007_.*\.bin$/);
    const file = await fetch(new URL(decoded.targetURL ?? '', anna.url));
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(sending.image);
    expect(JSON.stringify(all)).not.toContain(vin);
  });

  // promise 2.notifications.item
  test('appears with its error if it failed, and has no link', async () => {
    const { guid } = started(await uploadRead(anna, new Uint8Array(100), 'broken.tfc'));
    const { error } = await anna.follow({ guid });
    expect(await noticeOf(anna, { guid })).toMatchObject({
      isSuccessful: false,
      longMessage: `broken.tfc · ${error?.errorName}`,
      targetURL: null,
      targetURLFileName: null,
      deviceSerialNumber: null,
      errorCode: error?.errorName,
      errorCause: error?.cause,
    });
  });

  test('appears in the language of the page, else of the account, else of the browser', async () => {
    const words = async (headers: Record<string, string>) => {
      const answer = await anna.call('GET', '/api/async-operation-notifications/?count=1', {
        headers,
      });
      return (answer.json as Notification[])[0]?.message;
    };
    await sending.send(null);
    const of = (locale: string) => textsByLocale.get(locale)?.notificationEncoded;
    expect(of('de-DE')).not.toBe(of('en-US'));
    expect(await words({ 'accept-language': 'de-AT,de;q=0.9' })).toBe(of('de-DE'));
    const account = sending.portal.platform.db.updateTable('account');
    const anyAnna = account.where('email', '=', 'anna@demo.test');
    await anyAnna.set({ culture: 'fr-FR' }).execute();
    expect(await words({ 'accept-language': 'de' })).toBe(of('fr-FR'));
    expect(await words({ 'accept-language': 'de', 'X-Recodery-Language': 'pl-PL' })).toBe(
      of('pl-PL'),
    );
    await anyAnna.set({ culture: null }).execute();
  });

  // promise d6.push.as-get
  test('is announced on the event stream, with the same content as in the list', async () => {
    const notices = await subscribeToNotices(anna);
    const operation = await sending.send(null);
    const received = await notices.of(operation);
    notices.stop();
    const listed = await noticeOf(anna, operation);
    // addresses are generated on each read
    expect({ ...received, targetURL: null }).toEqual({ ...listed, targetURL: null });
    expect(received.targetURL).toContain(`/api/files/`);
  });
});

describe('a result that is not private', () => {
  // promise d9.bell.not-private
  test('appears for the slave’s workshop, which can download it', async () => {
    const operation = await sending.send({ isPrivate: false, message: 'Stage 1, buon lavoro' });
    const sent = await noticeOf(anna, operation);
    expect(sent).toMatchObject({
      isSent: true,
      isPrivate: false,
      otherOrganizationName: 'Garage Rossi',
      mail: null,
    });
    const received = await noticeOf(luca, operation);
    expect(received).toMatchObject({
      isSent: false,
      isReceived: true,
      otherOrganizationName: 'Officina Demo',
      longMessage: `${sent.targetURLFileName} · KV2-000007\nStage 1, buon lavoro`,
      targetURLFileName: sent.targetURLFileName,
      mail: null,
    });
    const byTicket = await fetch(new URL(received.targetURL ?? '', luca.url));
    const { components } = acceptEncoded({ ...sending.slave, file: await byTicket.bytes() });
    expect(components.map(({ bytes }) => new Uint8Array(bytes))).toEqual([sending.image]);
    const guid = /files\/([0-9a-f-]{36})/.exec(received.targetURL ?? '')?.[1] ?? '';
    expect((await luca.get(`/api/files/${guid}`)).status).toBe(200);
    expect((await luca.post(`/api/files/${guid}/ticket`)).status).toBe(200);
    expect((await mia.get(`/api/files/${guid}`)).status).toBe(404);
    expect(await listOf(mia)).toEqual([]);
  });

  test('is announced to the recipient on the event stream, and to no one else', async () => {
    const receivedByMia: unknown[] = [];
    const stopMia = await mia.listen((event) => receivedByMia.push(event));
    const notices = await subscribeToNotices(luca);
    const { guid } = await sending.send({ isPrivate: false });
    expect(await notices.of({ guid })).toMatchObject({ guid, isReceived: true });
    notices.stop();
    stopMia();
    expect(receivedByMia.filter((event) => JSON.stringify(event).includes(guid))).toEqual([]);
  });

  // promise d9.bell.written-down
  test('goes to the workshop that owned the slave when the operation finished', async () => {
    const operation = await sending.send({ isPrivate: false });
    const { db } = sending.portal.platform;
    const slaves = db.updateTable('slave_device').where('serial_number', '=', 'KV2-000007');
    const { guid: nord } = await db
      .selectFrom('organisation')
      .select('guid')
      .where('customer_code', '=', 'CC-3003')
      .executeTakeFirstOrThrow();
    const { guid: rossi } = await db
      .selectFrom('organisation')
      .select('guid')
      .where('customer_code', '=', 'CC-9001')
      .executeTakeFirstOrThrow();
    await slaves.set({ owner_guid: nord }).execute();
    expect(await noticeOf(luca, operation)).toMatchObject({ isReceived: true });
    expect(await listOf(mia)).toEqual([]);
    await slaves.set({ owner_guid: rossi }).execute();
  });

  // promise d9.bell.own-slave
  test('appears for colleagues if the slave is one’s own, and only once for oneself', async () => {
    const { platform } = sending.portal;
    const owned = (owner: string) =>
      applyDirectory(platform, {
        organisations: [
          {
            customerCode: 'CC-1001',
            name: 'Officina Demo',
            groupCodes: [
              {
                code: 'G-10',
                masters: [
                  {
                    family: 'kessv2',
                    serial: 'KV2-M-0001',
                    slaves: [{ serial: 'KV2-000007', owner }],
                  },
                ],
              },
            ],
          },
        ],
        users: [{ email: 'carla@demo.test', name: 'Carla', customerCodes: ['CC-1001'] }],
      });
    await owned('CC-1001');
    const carla = await sending.portal.signIn('carla@demo.test');
    const notices = await subscribeToNotices(carla);
    const operation = await sending.send({ isPrivate: false });
    const own = await noticeOf(anna, operation);
    expect(own).toMatchObject({ isSent: true, otherOrganizationName: 'Officina Demo' });
    expect(await notices.of(operation)).toMatchObject({ isReceived: true, isSent: false });
    notices.stop();
    const received = await noticeOf(carla, operation);
    expect(received).toMatchObject({ otherOrganizationName: 'Officina Demo' });
    expect((await fetch(new URL(received.targetURL ?? '', carla.url))).status).toBe(200);
    const mark = path(operation.guid, 'mark-as-interacted/receiver');
    expect((await anna.post(mark)).status).toBe(404);
    expect((await carla.post(mark)).status).toBe(204);
    const hidden = await sending.send({ isPrivate: true });
    expect((await listOf(carla)).map(({ guid }) => guid)).not.toContain(hidden.guid);
    await owned('CC-9001');
  });

  // promise d6.files.revoked
  test('cannot be downloaded after it is withdrawn, not even from an earlier address', async () => {
    const operation = await sending.send({ isPrivate: false });
    const { targetURL } = await noticeOf(luca, operation);
    const call = path(operation.guid, 'revoke');
    expect((await luca.post(call)).status).toBe(404);
    expect((await anna.post(call)).status).toBe(204);
    expect((await anna.post(call)).status).toBe(204);
    expect((await fetch(new URL(targetURL ?? '', luca.url))).status).toBe(404);
    expect(await noticeOf(luca, operation)).toMatchObject({
      targetURL: null,
      targetURLFileName: null,
    });
    // the sender can still download it
    expect((await noticeOf(anna, operation)).targetURL).not.toBeNull();
  });

  // promise 4.notification.download
  test('can be downloaded for ten days', async () => {
    const operation = await sending.send({ isPrivate: false });
    const { targetURL } = await noticeOf(luca, operation);
    await age(operation.guid, 9);
    expect((await noticeOf(luca, operation)).targetURL).not.toBeNull();
    await age(operation.guid, 1);
    for (const client of [anna, luca]) {
      expect(await noticeOf(client, operation)).toMatchObject({
        targetURL: null,
        targetURLFileName: null,
      });
    }
    expect((await fetch(new URL(targetURL ?? '', luca.url))).status).toBe(404);
  });
});

describe('a private result', () => {
  // promise 9.figures.default-private, d9.bell.private
  test('appears only for its sender, even if the request omits fields', async () => {
    for (const info of [null, {}, { isPrivate: true }, { message: 'x' }]) {
      const operation = await sending.send(info);
      expect(await noticeOf(anna, operation)).toMatchObject({ isPrivate: true });
      const { guid } = operation;
      expect((await listOf(luca)).filter((one) => one.guid === guid)).toEqual([]);
      expect((await luca.post(path(guid, 'mark-as-read/receiver'))).status).toBe(404);
      expect((await anna.post(path(guid, 'revoke'))).status).toBe(404);
    }
  });

  test('does not appear for a colleague: notifications belong to one user', async () => {
    await applyDirectory(sending.portal.platform, {
      users: [{ email: 'paolo@demo.test', name: 'Paolo', customerCodes: ['CC-1001'] }],
    });
    const paolo = await sending.portal.signIn('paolo@demo.test');
    const { guid } = await sending.send(null);
    expect((await listOf(paolo)).map((seen) => seen.guid)).not.toContain(guid);
    expect((await paolo.post(path(guid, 'mark-as-read/sender'))).status).toBe(404);
  });
});

describe('a user without the right', () => {
  test('to send is refused if the request names a recipient', async () => {
    const { db } = sending.portal.platform;
    const organisations = db.updateTable('organisation').where('customer_code', '=', 'CC-1001');
    await organisations.set({ may_auto_send: false }).execute();
    const ask = (notificationInfo: unknown) =>
      anna.post('/api/kessv2/reencode-decoded-file', {
        kessv2FileSlotGUID: sending.slot,
        notificationInfo,
      });
    for (const info of [{ email: 'a@rossi.test' }, { isPrivate: false }, { message: 'x' }]) {
      const answer = await ask(info);
      expect([info, answer.status, answer.text]).toEqual([info, 403, 'USER_NO_RIGHTS']);
    }
    await anna.follow(started(await ask(null)));
    await organisations.set({ may_auto_send: true }).execute();
  });

  test('to use the portal sees no notifications either', async () => {
    const nora = await sending.portal.signIn('nora@demo.test');
    const answer = await nora.get('/api/async-operation-notifications/');
    expect([answer.status, answer.text]).toEqual([403, 'USER_NO_RIGHTS']);
  });
});

describe('a mark', () => {
  // promise 4.notification.read, 7.around.mark-read, d9.bell.marks
  test('belongs to the sender or the recipient, and keeps its first time', async () => {
    const operation = await sending.send({ isPrivate: false });
    const mark = (client: Client, call: string) => client.post(path(operation.guid, call));
    expect((await mark(luca, 'mark-as-read/sender')).status).toBe(404);
    expect((await mark(anna, 'mark-as-read/receiver')).status).toBe(404);
    expect((await mark(mia, 'mark-as-interacted/receiver')).status).toBe(404);
    expect((await mark(anna, 'mark-as-read/sender')).status).toBe(204);
    const { senderNotifiedOn, ...rest } = await noticeOf(anna, operation);
    expect(Date.parse(senderNotifiedOn ?? '')).toBeGreaterThan(Date.parse(rest.completedOn));
    expect(rest).toMatchObject({
      senderInteractedOn: null,
      receiverNotifiedOn: null,
      receiverInteractedOn: null,
    });
    expect((await mark(anna, 'mark-as-read/sender')).status).toBe(204);
    expect((await mark(luca, 'mark-as-read/receiver')).status).toBe(204);
    expect((await mark(luca, 'mark-as-interacted/receiver')).status).toBe(204);
    expect((await mark(anna, 'mark-as-interacted/sender')).status).toBe(204);
    const marked = await noticeOf(luca, operation);
    expect(marked.senderNotifiedOn).toBe(senderNotifiedOn);
    expect(marked.receiverInteractedOn).toMatch(/^20/);
    expect(marked.senderInteractedOn).toMatch(/^20/);
  });

  // promise 7.around.mark-interacted
  test("is announced to the user's other tabs and devices", async () => {
    const operation = await sending.send(null);
    const notices = await subscribeToNotices(anna);
    await anna.post(path(operation.guid, 'mark-as-interacted/sender'));
    const marked = await notices.of(operation, (seen) => seen.senderInteractedOn !== null);
    notices.stop();
    expect(marked.senderNotifiedOn).not.toBeNull();
  });

  test.each(['01900000-0000-7000-8000-00000000dead', 'x', '%00', "'"])(
    'is refused for %s, which does not exist for the user',
    async (guid) => {
      const answer = await anna.post(path(guid, 'mark-as-read/sender'));
      expect([answer.status, answer.text]).toEqual([404, 'NOT_FOUND']);
    },
  );
});
