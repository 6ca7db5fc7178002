/** When the event streams read an operation that waits for a worker: later, unless it has changed until then. */
import { Kysely, PostgresDialect } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { createEvents } from '../../src/events/events.ts';
import { mintOrganisationId, type Caller } from '../../src/organisations/caller.ts';
import type { Announcement, AnnouncementListener } from '../../src/postgres/announce.ts';
import type { Database } from '../../src/postgres/tables/schema.ts';
import { silentLog } from '../fixtures/silent-log.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const organisation = mintOrganisationId(newGuid());

/** The events of a portal with one open stream, and the operations that they read. */
function openPortal() {
  const reads: unknown[] = [];
  const connection = {
    query: async (text: string, parameters: readonly unknown[]) => {
      if (/organisation_guid = \$1 and guid = \$2/.test(text)) reads.push(parameters[1]);
      return { command: 'SELECT' as const, rowCount: 0, rows: [] };
    },
    release: () => undefined,
  };
  const pool = { connect: async () => connection, end: async () => undefined, options: {} };
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: pool as never }) });
  let listener: AnnouncementListener = () => undefined;
  const events = createEvents({
    db,
    log: silentLog,
    announce: {
      subscribe: (added) => {
        listener = added;
        return () => undefined;
      },
    },
    serviceStatus: { subscribe: () => () => undefined },
    presentOperation: () => Promise.reject(new Error('there is none')),
    findOpenSessions: async () => new Map(),
    readSession: async () => null,
    languageOf: () => 'en-US',
    findLivingClients: async () => new Set(),
    readers: {},
    readNewestNotification: async () => new Map(),
  });
  const client = {
    kind: 'client',
    accountGuid: null,
    clientGuid: newGuid(),
    hasPortalAccess: true,
  };
  const caller = { ...client, organisationId: organisation } as unknown as Caller;
  const open = () =>
    events.open({
      caller,
      headers: {},
      sink: { send: () => undefined, end: () => undefined },
    });
  const announce = (kind: Announcement['kind'], guid: string) =>
    listener({ kind, guid, organisation });
  return { open, announce, reads };
}

test('one that ends at once is read once', async () => {
  const { open, announce, reads } = openPortal();
  open();
  const guid = newGuid();
  announce('operation-due', guid);
  await vi.advanceTimersByTimeAsync(50);
  expect(reads).toEqual([]);
  announce('operation', guid);
  await vi.advanceTimersByTimeAsync(1000);
  expect(reads).toEqual([guid]);
});

test('one that still waits is read, and read again when it has ended', async () => {
  const { open, announce, reads } = openPortal();
  open();
  const [guid, other] = [newGuid(), newGuid()];
  announce('operation-due', guid);
  announce('remote-operation-due', other);
  await vi.advanceTimersByTimeAsync(200);
  expect(reads).toEqual([guid, other]);
  announce('operation', guid);
  await vi.advanceTimersByTimeAsync(200);
  expect(reads).toEqual([guid, other, guid]);
});

test('nothing is read for a stream that has closed', async () => {
  const { open, announce, reads } = openPortal();
  const close = open();
  announce('operation-due', newGuid());
  close();
  await vi.advanceTimersByTimeAsync(1000);
  expect(reads).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
