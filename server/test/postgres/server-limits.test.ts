/** What a frozen process leaves in the server, whose limits end it: a transaction with locks, and waiting queries. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../fixtures/silent-log.ts';
import { httpProblemOf } from '../../src/http/problem.ts';
import { isMachineFault } from '../../src/operations/operation-rules.ts';
import { openDatabase, type OpenDatabase, type ServerLimits } from '../../src/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../fixtures/database/test-database.ts';

const patient: ServerLimits = { idleInTransactionMs: 0, lockMs: 0, statementMs: 0 };
let direct: TestDatabase;
const opened: OpenDatabase[] = [];
beforeAll(async () => {
  direct = await createTestDatabase();
});
afterAll(async () => {
  for (const { end } of opened) await end();
  await direct.drop();
});

function open(limits: Partial<ServerLimits>) {
  const database = openDatabase(direct.url, silentLog, { limits: { ...patient, ...limits } });
  opened.push(database);
  return database.db;
}

type OwnDb = ReturnType<typeof open>;
const lock = (db: OwnDb) => db.updateTable('maintenance').set({ is_on: false }).execute();

/** Holds the lock in a transaction that then does nothing until it is released. */
async function freeze(db: OwnDb) {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const ended = db
    .transaction()
    .execute(async (trx) => {
      await lock(trx);
      locked.resolve();
      await released.promise;
      await lock(trx);
    })
    .then(
      () => null,
      (error: unknown) => error,
    );
  await locked.promise;
  return { release: released.resolve, ended };
}

const meaningOf = (error: unknown) => ({
  ...httpProblemOf(error),
  isRetried: isMachineFault(error),
});
const unavailable = { status: 503, code: 'SERVICE_UNAVAILABLE', isRetried: true };

// promise d8.queue.frozen
test('the transaction of a frozen process ends, and others get its locks', async () => {
  const { release, ended } = await freeze(open({ idleInTransactionMs: 300 }));
  await lock(open({}));
  release();
  expect(meaningOf(await ended)).toMatchObject(unavailable);
});

test.each([
  ['a lock', { lockMs: 300 }, lock],
  ['too long', { statementMs: 300 }, (db: OwnDb) => sql`select pg_sleep(600)`.execute(db)],
])('a query that waits for %s is ended in the server too', async (_, limits, ask) => {
  const { release, ended } = await freeze(open({}));
  const error = await ask(open(limits)).catch((reason: unknown) => reason);
  expect(meaningOf(error)).toMatchObject(unavailable);
  // the server reports the error a moment before it reports that the query has ended
  const running = sql`
    select query from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`;
  await expect.poll(async () => (await running.execute(direct.db)).rows).toEqual([]);
  release();
  expect(await ended).toBeNull();
});
