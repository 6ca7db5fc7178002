/** Many event streams: an announced record is read once for all of them, and each sends only what its caller may see. */
import type { Slave } from '@recodery/codec/simulator/slave';
import { accessTokenHeader, sessionHeader } from '@recodery/contract/headers';
import type { Operation } from '@recodery/contract/features/operations';
import type { CompiledQuery, KyselyPlugin } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Announcement, notify } from '../../src/postgres/announce.ts';
import { startPortal } from '../../src/portal.ts';
import { setCustomerCode } from '../../src/sign-in/sessions.ts';
import type { RunningRole } from '../../src/worker.ts';
import { Client, type ReceivedEvent } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, sealImage, started, uploadRead } from './families/kessv2-workflow.ts';

let portal: RunningPortal;
let slave: Slave;
/** A second portal process on the same database, whose queries are counted. */
let second: RunningRole;
let url: string;
let queries: string[] = [];
const opened: Client[] = [];

const counter: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind === 'SelectQueryNode') queries.push(JSON.stringify(node.from));
    if (node.kind === 'RawNode') queries.push(node.sqlFragments.join(' '));
    return node;
  },
  transformResult: async ({ result }) => result,
};

beforeAll(async () => {
  portal = await startTestPortal();
  slave = await portal.getSlave('kessv2', 'KV2-000007');
  const { platform } = portal;
  const db = platform.db.withPlugin(counter);
  // statements whose text is built once
  const execute = db.executeQuery.bind(db);
  Object.assign(db, {
    executeQuery: (query: CompiledQuery) => {
      queries.push(query.sql);
      return execute(query);
    },
  });
  const running = await startPortal({ ...platform, db }, 0);
  second = running;
  url = `http://127.0.0.1:${running.port}`;
});
afterEach(() => {
  for (const client of opened.splice(0)) client.close();
});
afterAll(async () => {
  await second.stop();
  await portal.stop();
});

/** A stream at the second portal, with what it has received so far. */
interface Stream {
  readonly client: Client;
  readonly received: ReceivedEvent[];
}

async function open({ sessionId }: Client, header = sessionHeader): Promise<Stream> {
  const client = new Client(url, sessionId, header);
  const received: ReceivedEvent[] = [];
  opened.push(client);
  await client.listen((event) => received.push(event));
  return { client, received };
}

const openMany = (client: Client, count: number) =>
  Promise.all(Array.from({ length: count }, () => open(client)));

/** Announces, and waits until every stream has sent all that follows from it; returns the tables that were read. */
async function announce(
  streams: readonly Stream[],
  announcements: readonly Announcement[],
): Promise<readonly string[]> {
  const { db } = portal.platform;
  // the streams send in order: when this one has arrived, all before it have
  const fence = async (): Promise<void> => {
    const arrived = streams.map(async ({ client }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = await client.listen(({ name }) => {
        if (name === 'message') resolve();
      });
      return promise.finally(stop);
    });
    await notify(db, { kind: 'message', guid: null, organisation: null });
    await Promise.all(arrived);
  };
  await fence();
  queries = [];
  for (const { received } of streams) received.length = 0;
  for (const announcement of announcements) await notify(db, announcement);
  await fence();
  return queries;
}

/** How often a table was read, by statements that were built and by those that are text. */
const readsOf = (table: string, read: readonly string[]): number =>
  read.filter((from) => new RegExp(`"name":"${table}"| from "?${table}"?\\s`).test(from)).length;

const organisationOf = async (customerCode: string): Promise<string> => {
  const rows = portal.platform.db.selectFrom('organisation').select('guid');
  return (await rows.where('customer_code', '=', customerCode).executeTakeFirstOrThrow()).guid;
};

describe('an announced record is read once for all streams of an organisation', () => {
  test('an operation that still waits, without what another caller has attached to it', async () => {
    await portal.stopWorker();
    const anna = await portal.signIn('anna@demo.test');
    const application = await portal.addClient();
    const operation = started(await uploadRead(anna, sealImage(slave, 9000, new Uint8Array(1024))));
    const { db } = portal.platform;
    await db
      .updateTable('operation')
      .set({ context_data: 'of anna' })
      .where('guid', '=', operation.guid)
      .execute();
    const people = await openMany(anna, 8);
    const program = await open(application.client, accessTokenHeader);
    const mia = await open(await portal.signIn('mia@demo.test'));
    const organisation = await organisationOf('CC-1001');
    const read = await announce(
      [...people, program, mia],
      [{ kind: 'operation', guid: operation.guid, organisation }],
    );
    expect(readsOf('operation', read)).toBe(1);
    const contextOf = ({ received }: Stream) =>
      received
        .filter(({ name }) => name === 'operation')
        .map(({ record }) => (record as Operation).contextData);
    expect(people.map(contextOf)).toEqual(people.map(() => ['of anna']));
    expect(contextOf(program)).toEqual([null]);
    expect(contextOf(mia)).toEqual([]);
    await portal.startWorker();
    await anna.follow(operation);
  });

  test('a notification, sent only to those who see it', async () => {
    const anna = await portal.signIn('anna@demo.test');
    await decode(anna, sealImage(slave, 9000, new Uint8Array(1024)));
    const { db } = portal.platform;
    const { guid, organisation_guid: organisation } = await db
      .selectFrom('operation')
      .select(['guid', 'organisation_guid'])
      .orderBy('created_on', 'desc')
      .executeTakeFirstOrThrow();
    const senders = [...(await openMany(anna, 4)), ...(await openMany(anna, 4))];
    const application = await portal.addClient();
    const program = await open(application.client, accessTokenHeader);
    const read = await announce(
      [...senders, program],
      [{ kind: 'notification', guid, organisation }],
    );
    expect(readsOf('notification', read)).toBe(1);
    expect(readsOf('account', read)).toBeLessThanOrEqual(2);
    const kinds = ({ received }: Stream) =>
      received.filter(({ name }) => name === 'notification').map(({ record }) => record);
    for (const stream of senders) expect(kinds(stream)).toMatchObject([{ guid }]);
    expect(kinds(program)).toEqual([]);
  });

  test('a session, once for all streams that it has', async () => {
    const anna = await portal.signIn('anna@demo.test');
    const streams = await openMany(anna, 8);
    const others = await openMany(await portal.signIn('anna@demo.test'), 2);
    const { guid } = await portal.platform.db
      .selectFrom('session')
      .select('guid')
      .orderBy('created_on', 'desc')
      .offset(1)
      .executeTakeFirstOrThrow();
    const read = await announce(
      [...streams, ...others],
      [{ kind: 'session', guid, organisation: null }],
    );
    expect(readsOf('group_code', read)).toBe(1);
    const counts = [...streams, ...others].map(
      ({ received }) => received.filter(({ name }) => name === 'session').length,
    );
    expect(counts).toEqual([...streams.map(() => 1), ...others.map(() => 0)]);
  });
});

describe('what has not changed is not announced', () => {
  /** The announcements during `work`, without those of workers. */
  async function listen(work: () => Promise<unknown>): Promise<readonly Announcement[]> {
    const { announce: announcements, db } = portal.platform;
    const heard: Announcement[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = announcements.subscribe((one) => {
      if (one.kind === 'message') resolve();
      else heard.push(one);
    });
    await work();
    await notify(db, { kind: 'message', guid: null, organisation: null });
    await promise;
    stop();
    return heard;
  }

  test('a switch to the customer code that is already current', async () => {
    const anna = await portal.signIn('anna@demo.test');
    const switchTo = (code: string) =>
      anna.post(`/api/auth/session/${anna.sessionId}/switch-customer-code/${code}`);
    expect(await listen(() => switchTo('CC-2002'))).toMatchObject([{ kind: 'session' }]);
    let answer = 0;
    const heard = await listen(async () => {
      answer = (await switchTo('CC-2002')).status;
    });
    expect([answer, heard]).toEqual([200, []]);
    const { guid, account_guid } = await portal.platform.db
      .selectFrom('session')
      .select(['guid', 'account_guid'])
      .orderBy('created_on', 'desc')
      .executeTakeFirstOrThrow();
    const caller = { sessionGuid: guid, accountGuid: account_guid };
    expect(await setCustomerCode(portal.platform.db, caller, 'CC-nothing')).toBe(false);
  });

  test('a client application that is already revoked', async () => {
    const anna = await portal.signIn('anna@demo.test');
    const { guid } = await portal.addClient();
    const revoke = () => anna.post(`/api/clients/${guid}/revoke`);
    expect(await listen(revoke)).toMatchObject([{ kind: 'session', guid }]);
    expect(await listen(revoke)).toEqual([]);
  });
});

describe('an organisation', () => {
  test('opens at most 200 event streams at once at a portal; others still open theirs', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 11 }, () => portal.signIn('anna@demo.test')),
    );
    const [last, ...full] = sessions;
    if (last === undefined) throw new Error('no session');
    const streams = await Promise.all(full.map((session) => openMany(session, 20)));
    expect(streams.flat()).toHaveLength(200);
    const closing = new AbortController();
    const refused = await fetch(`${url}/api/events`, {
      headers: { [sessionHeader]: last.sessionId },
      signal: closing.signal,
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.json()).toEqual({ errorCode: 'TOO_MANY_EVENT_STREAMS', details: [] });
    closing.abort();
    await open(await portal.signIn('mia@demo.test'));
    streams[0]?.[0]?.client.close();
    await expect
      .poll(() =>
        open(last).then(
          () => 200,
          () => 429,
        ),
      )
      .toBe(200);
  });
});
