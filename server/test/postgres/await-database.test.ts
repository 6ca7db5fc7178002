/**
 * The wait for a database that is not available yet, is read-only or has a different address, and its one line for the
 * operator.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { CannotStart } from '../../src/config/cannot-start.ts';
import type { Log } from '../../src/config/log.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { awaitDatabase } from '../../src/postgres/await-database.ts';
import { nameLoss, DatabaseUnavailable } from '../../src/postgres/unavailable.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../fixtures/database/test-database.ts';
import { startPostgresProxy } from '../fixtures/database/postgres-proxy.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A log that forwards each message. */
function openLog(onLine: (line: { msg: string; reason: string }) => void): Log {
  return pino(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        onLine(JSON.parse(chunk.toString()));
        done();
      },
    }),
  );
}

/** Waits for the database at `url` and migrates it; returns the error that ends the wait. */
function failureOf(url: string, patience = 0): Promise<unknown> {
  const wait = awaitDatabase({ url, log: silentLog, patience }, () => migrate(url));
  return wait.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('waiting for a database', () => {
  it('ends when the database accepts connections, and logs what it waits for', async () => {
    const port = await freePort();
    const lines: unknown[] = [];
    const starting = Promise.withResolvers<void>();
    const log = openLog((line) => {
      lines.push(line);
      if (lines.length === 2) starting.resolve();
    });
    const proxied = starting.promise.then(() => startPostgresProxy(database.url, port));
    const { username, password, pathname } = new URL(database.url);
    const url = `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`;
    expect(await awaitDatabase({ url, log, patience: 600 }, () => migrate(url))).toEqual([]);
    expect(lines.slice(0, 2)).toEqual(
      [1, 2].map(() =>
        expect.objectContaining({
          msg: 'waiting for the database',
          reason: `The database is unavailable: connect ECONNREFUSED 127.0.0.1:${port}`,
        }),
      ),
    );
    await (await proxied).stop();
  });

  it('ends when a standby has become the primary', async () => {
    const name = sql.id(new URL(database.url).pathname.slice(1));
    await sql`alter database ${name} set default_transaction_read_only = on`.execute(database.db);
    const reasons: string[] = [];
    const log = openLog(({ reason }) => {
      reasons.push(reason);
      void sql`alter database ${name} reset default_transaction_read_only`.execute(database.db);
    });
    const { url } = database;
    await awaitDatabase({ url, log, patience: 600 }, () => migrate(url));
    expect(reasons[0]).toMatch(/read-only transaction$/);
  });

  it('ends immediately when the process is told to stop', async () => {
    const stopping = new AbortController();
    const log = openLog(() => stopping.abort('SIGTERM'));
    const url = `postgresql://recodery@127.0.0.1:1/recodery`;
    const { signal } = stopping;
    const wait = awaitDatabase({ url, log, patience: 600, signal }, () => migrate(url));
    await expect(wait).rejects.toBe('SIGTERM');
  });
});

describe('the line for the operator', () => {
  const secret = 'a-password';

  it('names the server that did not become available, and no password', async () => {
    const error = await failureOf(`postgresql://shop:${secret}@127.0.0.1:1/recodery`);
    expect(error).toBeInstanceOf(CannotStart);
    expect((error as Error).message).toBe(
      'The database recodery at 127.0.0.1:1 did not become available within 0 seconds (connect ECONNREFUSED 127.0.0.1:1). Check that PostgreSQL is running and accepts connections.',
    );
  });

  it('names a server that closes every connection', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const error = await failureOf(`postgresql://shop:${secret}@127.0.0.1:${port}/recodery`);
    server.close();
    expect((error as Error).message).toMatch(
      /^The database recodery at 127\.0\.0\.1:\d+ did not become available within 0 seconds \(.*(terminated unexpectedly|ECONNRESET)\)\./,
    );
  });

  it('names a wrong password or database without waiting', async () => {
    const wrong = database.url.replace(/:[^:@]+@/, `:${secret}@`);
    expect(((await failureOf(wrong, 600)) as Error).message).toMatch(
      /^The database test_\w+ at \/.* cannot be used \(password authentication failed for user "recodery"\)\. Check RECODERY_DATABASE_URL and the rights of its user\.$/,
    );
    const missing = database.url.replace(/[^/]+$/, 'no_such');
    expect(((await failureOf(missing, 600)) as Error).message).toMatch(
      /^The database no_such at \/.* cannot be used \(database "no_such" does not exist\)\./,
    );
  });

  it('names missing rights without waiting', async () => {
    const name = `visitor_${randomBytes(6).toString('hex')}`;
    const visitor = sql.id(name);
    await sql`create role ${visitor} login password ${sql.lit(secret)}`.execute(database.db);
    const error = await failureOf(
      database.url.replace(/\/\/[^@]+@/, `//${name}:${secret}@`),
      600,
    ).finally(() => sql`drop role ${visitor}`.execute(database.db));
    expect((error as Error).message).toMatch(
      /^The database test_\w+ at \/.* cannot be used \(permission denied for .+\)\. Check RECODERY_DATABASE_URL and the rights of its user\.$/,
    );
  });
});

describe('any other error', () => {
  // such as a secret file that cannot be read
  it.each([import.meta.dirname, `${import.meta.filename}.missing`])(
    'ends the wait immediately: reading %s',
    async (path) => {
      const read = (): Promise<Buffer> => readFile(path);
      const own = await read().catch((error: unknown) => error);
      await expect(
        awaitDatabase({ url: database.url, log: silentLog, patience: 600 }, read),
      ).rejects.toEqual(own);
    },
  );
});

it('treats a server name that cannot be resolved as an outage', () => {
  // Node's error when no name server responds, which no test can cause in every network
  const error = new Error('getaddrinfo EAI_AGAIN db');
  Object.assign(error, { code: 'EAI_AGAIN', syscall: 'getaddrinfo' });
  expect(nameLoss(error)).toBeInstanceOf(DatabaseUnavailable);
});
