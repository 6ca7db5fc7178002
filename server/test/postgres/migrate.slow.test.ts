/** `recodery migrate` as processes that start at the same moment on one database. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrationsDir } from '../../src/postgres/migrate.ts';
import { createEmptyDatabase } from '../fixtures/database/test-database.ts';

const program = resolve(import.meta.dirname, '../../../recodery.mjs');
/** The advisory lock of the migrations. */
const lockKey = 7_263_326;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let client: pg.Client;
let folder: string;
let secret: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'recodery-migrate-'));
  secret = randomBytes(32).toString('hex');
});
afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

/** Starts the command as on a separate machine. */
function startMigrating(name: string, ...options: readonly string[]) {
  const child = spawn(process.execPath, [program, 'migrate', ...options], {
    env: {
      PATH: '/usr/bin:/bin',
      RECODERY_DATA_DIR: join(folder, name),
      RECODERY_DATABASE_URL: database.url,
      RECODERY_SECRET: secret,
    },
  });
  let out = '';
  let complaint = '';
  child.stdout.on('data', (part: Buffer) => (out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (complaint += part.toString()));
  const ended = new Promise<{ code: number | null; out: string; complaint: string }>((done) =>
    child.once('close', (code) => done({ code, out, complaint })),
  );
  return { child, ended };
}

/** How many processes wait for the lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from pg_locks
      join pg_database on pg_database.oid = pg_locks.database
      where datname = current_database() and locktype = 'advisory' and objid = $1 and not granted`,
    [lockKey],
  );
  return rows[0]?.count ?? 0;
}

test('several at once apply each migration once, even when one of them is killed', async () => {
  await client.query('select pg_advisory_lock($1)', [lockKey]);
  const migrating = ['a', 'b', 'c', 'd'].map((name) => startMigrating(name));
  await expect.poll(countWaiting).toBe(4);
  const [killed, ...others] = migrating;
  killed?.child.kill('SIGKILL');
  await client.query('select pg_advisory_unlock($1)', [lockKey]);

  const results = await Promise.all(others.map(({ ended }) => ended));
  const names = (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql'));
  for (const { code, out, complaint } of results)
    expect([code, out, complaint]).toEqual([
      0,
      `The database is up to date with ${names.length} migrations from ${migrationsDir}.\n`,
      '',
    ]);
  const { rows } = await client.query<{ name: string }>('select name from migration order by name');
  expect(rows.map(({ name }) => name)).toEqual(names.toSorted());
});

test('with --dry-run it lists the migrations that are missing, and changes nothing', async () => {
  const planned = await startMigrating('a', '--dry-run').ended;
  expect(planned).toMatchObject({ code: 0, complaint: expect.stringContaining('Make a backup') });
  const names = (await readdir(migrationsDir)).toSorted();
  const listed = planned.out.trim().split('\n');
  expect(listed.map((line) => line.split(' ')[0])).toEqual(names);
  const tables = await client.query("select 1 from pg_tables where schemaname = 'public'");
  expect(tables.rowCount).toBe(0);

  expect((await startMigrating('a').ended).code).toBe(0);
  expect(await startMigrating('a', '--dry-run').ended).toMatchObject({
    code: 0,
    out: '',
    complaint: expect.stringContaining('up to date'),
  });
});
