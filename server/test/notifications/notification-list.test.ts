/** The list of notifications: its order, its pages, and its end. */
import { cursorBehind, type Notification } from '@recodery/contract/features/notifications';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { newGuid } from '../../src/config/guids.ts';
import type { Client } from '../fixtures/client.ts';
import { notificationInsert } from '../../src/notifications/notifications.ts';
import { listOf, type Sending, startSending } from './sending-workshop.ts';

let sending: Sending;
let mia: Client;
beforeAll(async () => {
  sending = await startSending();
  ({ mia } = sending);
});
afterAll(() => sending.portal.stop());

const english = { 'X-Recodery-Language': 'en-US' };

describe('the list', () => {
  const times = ['2025-03-01T10:00:00.000Z', '2025-03-01T10:00:00.001Z'];
  let own: string[];
  beforeAll(async () => {
    // seven notifications at two different times, sent and received ones mixed
    const { db } = sending.portal.platform;
    const codes = ['CC-3003', 'CC-9001'];
    const rows = await db
      .selectFrom('organisation')
      .innerJoin('membership', 'membership.organisation_guid', 'organisation.guid')
      .where('customer_code', 'in', codes)
      .orderBy('customer_code')
      .select(['organisation.guid', 'account_guid'])
      .execute();
    const [miasOrganisation, lucasOrganisation] = rows;
    if (miasOrganisation === undefined || lucasOrganisation === undefined) throw new Error('none');
    // those that were completed at the same time are listed by their GUIDs
    own = Array.from({ length: 7 }, () => newGuid()).toSorted();
    for (const [index, guid] of own.entries()) {
      const isSent = index % 3 !== 0;
      const sender = isSent ? miasOrganisation : lucasOrganisation;
      await notificationInsert(db, {
        guid,
        senderOrganisationId: mintOrganisationId(sender.guid),
        senderAccountGuid: sender.account_guid,
        senderClientGuid: null,
        senderName: 'A workshop',
        receiverOrganisationGuid: isSent ? null : miasOrganisation.guid,
        receiverName: null,
        operationType: 'KESS3Encode',
        family: 'kess3',
        slotGuid: newGuid(),
        workflow: index === 1 ? 'kess3-utility' : 'kess3',
        completedOn: new Date(times[Math.floor(index / 4)] ?? ''),
        isSuccessful: true,
        fileName: `${index}.moc`,
        slaveSerialNumber: null,
        target: null,
        errorName: null,
        errorDetail: null,
        internalCode: null,
        isPrivate: isSent,
        note: null,
      }).execute();
    }
    own.reverse();
  });

  // promise 7.around.notifications, d9.bell.pages
  test.each([1, 2, 3, 4, 6, 7])('skips and repeats nothing in pages of %i', async (count) => {
    const seen: string[] = [];
    let to = '';
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await listOf(mia, `?count=${count}${to}`);
      seen.push(...page.map(({ guid }) => guid));
      const last = page.at(-1);
      if (last === undefined) break;
      expect(page.length).toBeLessThanOrEqual(count);
      to = `&to=${encodeURIComponent(cursorBehind(last))}`;
    }
    expect(seen).toEqual(own);
  });

  // promise 7.around.notifications
  test('ends before a given time, in any time zone', async () => {
    const guids = async (to: string) =>
      (await listOf(mia, `?count=20&to=${to}`)).map(({ guid }) => guid);
    expect(await guids('2025-03-01T10:00:00.001Z')).toEqual(own.slice(3));
    expect(await guids('2025-03-01T10:00:00.000')).toEqual([]);
    expect(await guids('2025-03-01T10:00:01')).toEqual(own);
    expect(await guids('2025-03-01T12:00:00.001+02:00')).toEqual(own.slice(3));
    expect(await guids('2025-03-01T12:00:00.001%2B02:00')).toEqual(own.slice(3));
    expect(await guids('')).toEqual(own);
  });

  // promise 2.notifications.badge-older
  test('contains only new notifications if requested, however old they are', async () => {
    const guids = async (query: string) => (await listOf(mia, query)).map(({ guid }) => guid);
    const [newest = '', second = '', , fourth = ''] = own;
    for (const guid of [newest, second, fourth])
      for (const role of ['sender', 'receiver'])
        await mia.post(`/api/async-operation-notifications/${guid}/mark-as-interacted/${role}`);
    const left = own.filter((guid) => ![newest, second, fourth].includes(guid));
    expect(await guids('?new=true')).toEqual(left);
    expect(await guids('?new=true&count=2')).toEqual(left.slice(0, 2));
    expect(await guids('?new=true&to=2025-03-01T10:00:00.001Z')).toEqual(
      left.filter((guid) => own.indexOf(guid) > 2),
    );
    expect(await guids('?new=false')).toEqual(own);
  });

  test('is empty if no notifications are requested', async () => {
    expect(await listOf(mia, '?count=0')).toEqual([]);
  });

  test('contains twenty notifications by default', async () => {
    expect(await listOf(mia)).toHaveLength(7);
    const [message] = (
      await mia.call('GET', '/api/async-operation-notifications/?count=6', { headers: english })
    ).json as Notification[];
    expect(message).toMatchObject({ message: 'A workshop sent you an encoded file' });
  });

  test.each([
    'to=yesterday',
    'to=2025-13-01T00:00:00Z',
    'to=2025-03-01T10:00:00Z~x',
    'to=-000001-01-01T00:00:00Z',
    "to=2025-03-01T10:00:00Z'--",
    'count=-1',
    'count=x',
    'count=99999',
  ])('refuses %s', async (query) => {
    const answer = await mia.get(`/api/async-operation-notifications/?${query}`);
    expect([answer.status, answer.text]).toEqual([400, 'BAD_REQUEST']);
  });
});
