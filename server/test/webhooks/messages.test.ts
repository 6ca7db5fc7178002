/**
 * The delivery of webhooks: retries with increasing pauses, replays, receivers that hang, and how long attempts are
 * kept.
 */
import {
  type Delivery,
  mostReplaysAnHour,
  type NewWebhook,
} from '@recodery/contract/features/webhooks';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../src/upkeep/sweep.ts';
import { notify } from '../../src/postgres/announce.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { Program } from '../encoding-api/program.ts';
import { verify } from './receiver.ts';
import {
  addTo,
  decodeAgain,
  decodeWith,
  deliveriesOf,
  hang,
  openReceiver,
  passTime,
  startWebhookPortal,
  statusesOf,
  waitForDeliveries,
  withEndpoint,
} from './webhook-portal.ts';

const webhooks = await startWebhookPortal();
const { portal, anna, luca } = webhooks;

const resultOf = ({ status, error }: Delivery) => status ?? error;

/**
 * Records the pause before each retry, and puts the retry off until a test lets time pass: on a busy machine, a message
 * could otherwise be retried while the test still looks at its last attempt.
 */
beforeAll(async () => {
  const { db } = portal.platform;
  await sql`create table pause (number serial, endpoint_guid uuid, seconds float)`.execute(db);
  await sql`create function hold() returns trigger language plpgsql as $$
    begin
      insert into pause (endpoint_guid, seconds)
      values (new.endpoint_guid, extract(epoch from new.due_on - now()));
      new.due_on = now() + interval '1 hour';
      return new;
    end $$`.execute(db);
  // an attempt that has failed ends its lease; a claim begins one
  await sql`create trigger hold before update on webhook_message for each row
    when (old.lease_until is not null and new.lease_until is null and new.status = 'waiting'
      and new.due_on > now() + interval '1 second')
    execute function hold()`.execute(db);
});

describe('A message', () => {
  // promise e2.webhooks.retried
  test('is retried within 30 s with the same id, then with increasing pauses', async () => {
    await withEndpoint(webhooks, anna, async (receiver, { guid, secret }) => {
      receiver.respond = (_request, response) => void response.writeHead(503).end();
      await decodeAgain(webhooks);
      const one = await receiver.next();
      for (let count = 1; count <= 4; count += 1) {
        await waitForDeliveries(anna, guid, count);
        if (count === 4) receiver.respond = (_request, response) => void response.end();
        await passTime(webhooks, '3 hours');
      }
      const pauses = await pausesOf(guid);
      expect(pauses).toHaveLength(4);
      expect(pauses[0]).toBeLessThan(12);
      expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
      expect(pauses[3]).toBeGreaterThan(30);
      const all = await waitForDeliveries(anna, guid, 5);
      expect(all.map(resultOf)).toEqual([200, 503, 503, 503, 503]);
      expect(new Set(all.map(({ webhookId }) => webhookId)).size).toBe(1);
      const last = receiver.received.at(-1);
      expect(last?.headers['webhook-id']).toBe(one.headers['webhook-id']);
      expect(last !== undefined && verify(secret, last).type).toBe('operation.completed');
    });
  });

  // promise e2.webhooks.retried
  test('is given up after a day', async () => {
    await withEndpoint(webhooks, anna, async (receiver, { guid }) => {
      receiver.respond = (_request, response) => void response.writeHead(404).end();
      const operation = await decodeAgain(webhooks);
      await waitForDeliveries(anna, guid, 1);
      await passTime(webhooks, '25 hours');
      await waitForDeliveries(anna, guid, 2);
      expect(await statusesOf(webhooks, operation.guid)).toEqual(['failed']);
    });
  });

  // promise e2.webhooks.redirect
  test('counts as failed when the receiver redirects', async () => {
    await withEndpoint(webhooks, anna, async (receiver, { guid }) => {
      const other = await openReceiver(webhooks);
      receiver.respond = (_request, response) =>
        void response.writeHead(307, { location: other.url }).end();
      const operation = await decodeAgain(webhooks);
      expect((await waitForDeliveries(anna, guid, 1)).map(resultOf)).toEqual([307]);
      expect(await statusesOf(webhooks, operation.guid)).toEqual(['waiting']);
      expect(other.received).toEqual([]);
    });
  });

  // promise e2.webhooks.replay
  test('is sent again by a replay, with the same id', async () => {
    await withEndpoint(webhooks, anna, async (receiver, { guid, secret }) => {
      await decodeAgain(webhooks);
      const one = await receiver.next();
      const [attempt] = await waitForDeliveries(anna, guid, 1);
      const path = `/api/webhook-deliveries/${attempt?.guid}/replay`;
      expect((await luca.post(path)).status).toBe(404);
      expect((await anna.post(path)).status).toBe(204);
      const again = await receiver.next();
      expect(again.headers['webhook-id']).toBe(one.headers['webhook-id']);
      expect(verify(secret, again).data).toEqual(verify(secret, one).data);
      expect(await waitForDeliveries(anna, guid, 2)).toHaveLength(2);
    });
  });

  test('is not sent again if the organisation has replayed too many messages in an hour', async () => {
    await withEndpoint(webhooks, anna, async (_receiver, { guid }) => {
      await decodeAgain(webhooks);
      const [attempt] = await waitForDeliveries(anna, guid, 1);
      const path = `/api/webhook-deliveries/${attempt?.guid}/replay`;
      await sql`insert into webhook_message
          (guid, webhook_id, organisation_guid, endpoint_guid, operation_guid, type, status, created_on)
        select gen_random_uuid(), webhook_id, organisation_guid, endpoint_guid, operation_guid, type,
          'delivered', now() - interval '50 minutes'
        from webhook_message, generate_series(1, ${mostReplaysAnHour - 1}::int)
        where endpoint_guid = ${guid}`.execute(portal.platform.db);
      await sql`update webhook_message set created_on = created_on - interval '2 hours'
        where guid = (select message_guid from webhook_attempt where guid = ${attempt?.guid})`.execute(
        portal.platform.db,
      );
      expect((await anna.post(path)).status).toBe(204);
      const refused = await anna.post(path);
      expect([refused.status, refused.json]).toEqual([
        429,
        { errorCode: 'TOO_MANY_REPLAYS', details: [] },
      ]);
      const pause = Number(refused.headers.get('retry-after'));
      expect(pause).toBeGreaterThan(60);
      expect(pause).toBeLessThanOrEqual(600);
      await waitForDeliveries(anna, guid, 2);
      await passTime(webhooks, '11 minutes');
      expect((await anna.post(path)).status).toBe(204);
    });
  });

  test('does not wait for a receiver that never responds', async () => {
    const silent = await openReceiver(webhooks);
    const mostAtOnce = hang(silent);
    const stuck = await addTo(anna, silent);
    await withEndpoint(webhooks, anna, async (receiver) => {
      for (let count = 0; count < 6; count += 1) await decodeAgain(webhooks);
      for (let count = 0; count < 6; count += 1) await receiver.next();
      // the limit for one receiver
      expect(mostAtOnce()).toBeLessThanOrEqual(4);
    });
    await anna.call('DELETE', `/api/webhooks/${stuck.guid}`);
  });

  test('is sent, and sent again, while all other receivers of the organisation hang', async () => {
    const silent = await openReceiver(webhooks);
    hang(silent);
    // none of them times out before the last message is sent again, however busy the machine is
    const { whole } = webhooks.limits;
    webhooks.limits.whole = 3_600_000;
    const stuck: NewWebhook[] = [];
    for (let count = 0; count < 30; count += 1) stuck.push(await addTo(anna, silent));
    await withEndpoint(webhooks, anna, async (receiver, { guid }) => {
      receiver.respond = (_request, response) => void response.writeHead(503).end();
      for (let count = 0; count < 4; count += 1) await decodeAgain(webhooks);
      await waitForDeliveries(anna, guid, 4);
      await sql`update webhook_message set due_on = now() where endpoint_guid = ${guid}`.execute(
        portal.platform.db,
      );
      await notify(portal.platform.db, { kind: 'webhook-due', guid: null, organisation: null });
      await waitForDeliveries(anna, guid, 8);
      for (const one of stuck) expect(await deliveriesOf(anna, one.guid)).toEqual([]);
    });
    webhooks.limits.whole = whole;
    for (const { guid } of stuck) await anna.call('DELETE', `/api/webhooks/${guid}`);
  });

  test('to one host does not wait for those to another host of the same client', async () => {
    const own = await portal.addClient();
    const program = new Program(portal, own);
    const [silent, receiver] = [await openReceiver(webhooks), await openReceiver(webhooks)];
    const mostAtOnce = hang(silent);
    for (let count = 0; count < 6; count += 1)
      await program.succeed(await decodeWith(webhooks, program, silent.url));
    await program.succeed(await decodeWith(webhooks, program, receiver.url));
    await receiver.next();
    await waitForDeliveries(anna, own.guid, 1);
    expect(mostAtOnce()).toBeLessThanOrEqual(4);
    await anna.post(`/api/clients/${own.guid}/revoke`);
  });

  // promise e2.webhooks.kept
  test('and its attempts are deleted after ten days', async () => {
    await withEndpoint(webhooks, anna, async (_receiver, { guid }) => {
      await decodeAgain(webhooks);
      await waitForDeliveries(anna, guid, 1);
      const { db, log, clock, config } = portal.platform;
      const { storage } = await openStorage(config);
      const parts = {
        db,
        log,
        clock,
        storage,
        retentionDays: 30,
        retentionBounds: { least: 10, most: 3650 },
        auditDays: 400,
      };
      await passTime(webhooks, '9 days');
      await sweep(parts);
      expect(await deliveriesOf(anna, guid)).toHaveLength(1);
      await passTime(webhooks, '25 hours');
      await sweep(parts);
      expect(await deliveriesOf(anna, guid)).toEqual([]);
      const left = db.selectFrom('webhook_message').select('guid');
      expect(await left.where('endpoint_guid', '=', guid).execute()).toEqual([]);
    });
  });
});

/** Seconds between the attempts to deliver the message of an endpoint. */
async function pausesOf(endpointGuid: string): Promise<readonly number[]> {
  const { rows } = await sql<{ seconds: number }>`
    select seconds from pause where endpoint_guid = ${endpointGuid} order by number`.execute(
    portal.platform.db,
  );
  return rows.map(({ seconds }) => seconds);
}
