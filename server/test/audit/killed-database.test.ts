/**
 * A change has an entry in the audit trail that names who made it, at whichever moment the connection to the database is
 * killed.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendWaiting } from '../../src/audit/audit.ts';
import { listAudit } from '../../src/audit/read-audit.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_WEBHOOK_ALLOW: '127.0.0.1' }, false);
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

/** A call, and where its change is. */
interface Change {
  readonly table: string;
  readonly action: string;
  /** `mark` is a number that no other call has. */
  readonly call: (mark: number) => Promise<{ readonly status: number }>;
  /** A condition for the row that the call with this mark has changed. */
  readonly row: (mark: number) => string;
}

const changes: readonly Change[] = [
  {
    table: 'client_application',
    action: 'clients.addClient',
    call: (mark) =>
      anna.post('/api/clients', { name: `program ${mark}`, allowedNetworks: [], expiresOn: null }),
    row: (mark) => `name = 'program ${mark}'`,
  },
  {
    table: 'webhook_endpoint',
    action: 'webhooks.addWebhook',
    call: (mark) => anna.post('/api/webhooks', { url: `http://127.0.0.1:9/${mark}` }),
    row: (mark) => `url like '%/${mark}'`,
  },
  {
    table: 'organisation',
    action: 'jobs.putStorageSettings',
    call: (mark) => anna.put('/api/storage-settings', { retentionDays: 100 + mark }),
    row: (mark) => `retention_days = ${100 + mark}`,
  },
];

/** When the connection is killed: in which statement, of the entry or of the change. */
const moments = {
  'while its entry is announced': () => 'before insert on audit_waiting',
  'before it is made': (table: string) => `before insert or update on ${table}`,
  'after it is made, before its commit': (table: string) => `after insert or update on ${table}`,
  'while its entry is completed': () => 'before update on audit_waiting',
  'after its entry is completed, before its commit': () => 'after update on audit_waiting',
} as const;

const { raw } = sql;

/** Kills the connection that reaches the moment, like a killed server does; it works again afterwards. */
async function killing<T>(moment: string, work: () => Promise<T>): Promise<T> {
  const { db } = portal.platform;
  await sql`create function die() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(10); return new; end $$`.execute(
    db,
  );
  await sql`create trigger die ${raw(moment)} execute function die()`.execute(db);
  return work().finally(() => sql`drop function die cascade`.execute(db));
}

async function listEntries({ action }: Change): Promise<number> {
  const { db } = portal.platform;
  // the time to complete the announced ones is over
  await sql`update audit_waiting set announced_until = null`.execute(db);
  while ((await appendWaiting(db)) > 0);
  let count = 0;
  for await (const { entry } of listAudit(db, { action })) {
    expect(entry).toMatchObject({ action, actor: { kind: 'user', name: 'anna@demo.test' } });
    count += 1;
  }
  return count;
}

async function isMade({ table, row }: Change, mark: number): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} where ${raw(row(mark))}`.execute(
    portal.platform.db,
  );
  return rows.length > 0;
}

let lastMark = 0;
for (const change of changes) {
  test.each(Object.entries(moments))(
    `${change.action} has its entry if the connection is killed %s`,
    async (name, where) => {
      const mark = (lastMark += 1);
      const before = await listEntries(change);
      const { status } = await killing(where(change.table), () => change.call(mark));
      const [made, entries] = [await isMade(change, mark), (await listEntries(change)) - before];
      // a change that is there has one entry, whether its caller got an answer or not
      if (made) expect(entries).toBe(1);
      expect(made).toBe(name.includes('entry is completed'));
      if (name === 'while its entry is announced') expect([status, entries]).toEqual([503, 0]);
      // and the portal goes on
      const next = (lastMark += 1);
      expect((await change.call(next)).status).toBeLessThan(300);
      expect(await listEntries(change)).toBe(before + entries + 1);
    },
  );
}
