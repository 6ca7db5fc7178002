/** The role with which portal, worker and commands use the embedded database, in new and in older installations. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { openPlatform } from '../../src/platform.ts';
import { openForCommand } from '../../src/postgres/embedded/embedded.ts';
import { callCommand } from '../fixtures/command.ts';

let parent: string;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'recodery-owner-'));
  await chmod(parent, 0o755);
});
afterAll(() => rm(parent, { recursive: true }));

async function run(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The superuser's address, as a version until 0.9.0 used it for everything. */
async function superuserOf(dataDir: string, url: string): Promise<string> {
  const password = (await readFile(join(dataDir, 'postgres/password'), 'utf8')).trim();
  const { host } = new URL(url);
  return `postgresql://recodery:${password}@${host}/recodery`;
}

const listForeign = `
  select name, owner from (
    select relname as name, relowner as owner, relnamespace as space from pg_class
    union all select proname, proowner, pronamespace from pg_proc
    union all select typname, typowner, typnamespace from pg_type
    union all select datname, datdba, 'public'::regnamespace from pg_database
      where datname = current_database()) as object
  where space = 'public'::regnamespace and owner <> current_user::regrole`;

/** What a superuser may do, and the refusal of anyone else. */
const forbidden: readonly (readonly [string, string])[] = [
  [`select pg_read_file('/etc/passwd')`, 'permission denied'],
  [`select pg_ls_dir('.')`, 'permission denied'],
  [`select lo_import('/etc/passwd')`, 'permission denied'],
  [`copy (select 1) to program 'true'`, 'permission denied'],
  [`copy (select 1) to '/tmp/recodery-never'`, 'permission denied'],
  [`create role intruder`, 'permission denied'],
  [`create database intruder`, 'permission denied'],
  [`alter role recodery_app superuser`, 'permission denied'],
  [`alter role recodery password 'mine'`, 'permission denied'],
  [`grant pg_read_server_files to recodery_app`, 'permission denied'],
  [`alter system set log_statement = 'all'`, 'permission denied'],
  [`set session authorization recodery`, 'permission denied'],
  [`set role recodery`, 'permission denied'],
  [`create extension file_fdw`, 'permission denied|not available'],
];

async function expectOwner(url: string): Promise<void> {
  expect(await run(url, listForeign)).toEqual([]);
  expect(
    await run(
      url,
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
        (select count(*)::int from pg_auth_members where member = pg_roles.oid) as groups
        from pg_roles where rolname = current_user`,
    ),
  ).toEqual([
    {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      groups: 0,
    },
  ]);
  for (const [statement, refusal] of forbidden)
    await expect(run(url, statement), statement).rejects.toThrow(new RegExp(refusal));
}

// promise d3.settings.database-role
it('cannot read files, run programs or create roles, and owns the database', async () => {
  const dataDir = join(parent, 'new');
  const config = readConfig({ RECODERY_DATA_DIR: dataDir });
  const open = await openPlatform(config, silentLog, { as: 'command' });
  const embedded = await openForCommand(dataDir);
  await expectOwner(embedded.url);
  await embedded.close();
  await open.close();
});

// promise d3.settings.database-role
it('does not gain the rights of the superuser through what it creates in the database', async () => {
  const dataDir = join(parent, 'trap');
  const first = await openForCommand(dataDir);
  // the supervisor compares values with operators that the owner could hide behind its own
  await run(
    first.url,
    `create table trapped (who text);
    create function trap(left_side oid, right_side oid) returns boolean language plpgsql as $$
      begin insert into public.trapped values (session_user); return true; end $$;
    create operator public.= (leftarg = oid, rightarg = oid, function = trap);
    alter database recodery set search_path = public, pg_catalog;
    alter role recodery_app set search_path = public, pg_catalog;`,
  );
  await first.close();
  const again = await openForCommand(dataDir);
  expect(await run(again.url, 'select who from public.trapped')).toEqual([]);
  await again.close();
});

// promise d3.settings.database-role
it('takes over what a released version has left to the superuser, and is backed up and restored', async () => {
  const backup = join(parent, '0.9.0.tar');
  const released = join(import.meta.dirname, '../versions/0.9.0.tar.gz');
  await writeFile(backup, gunzipSync(await readFile(released)));
  const dataDir = join(parent, 'upgraded');
  const command = (folder: string, ...words: readonly string[]) =>
    callCommand({ config: readConfig({ RECODERY_DATA_DIR: folder }), databaseUrl: '' }, words, {
      settings: { RECODERY_SECRET_FILE: '' },
    });
  expect(await command(dataDir, 'restore', backup)).toMatchObject({ code: 0 });

  // as the released version had it: one superuser for everything, which a running portal uses
  const before = await openForCommand(dataDir);
  const superuser = await superuserOf(dataDir, before.url);
  const [{ names = '' } = {}] = await run(
    superuser,
    `select string_agg(format('alter %s %s owner to recodery;', kind, name), '') as names from (
      select 'table' as kind, oid::regclass::text as name from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace
      union all select 'routine', oid::regprocedure::text from pg_proc
        where pronamespace = 'public'::regnamespace) as object`,
  );
  await run(
    superuser,
    `${names} alter database recodery owner to recodery; drop role recodery_app;
    create sequence later; create view recent as select * from migration;
    create type mood as enum ('good')`,
  );
  const portal = new pg.Client({ connectionString: superuser });
  await portal.connect();

  const after = await openForCommand(dataDir);
  await expectOwner(after.url);
  expect((await portal.query('select count(*)::int as n from slot')).rows).toEqual([{ n: 1 }]);
  await portal.end();
  await after.close();
  await before.close();

  // the older version can come back, and what it creates is taken over again
  const last = await openForCommand(dataDir);
  await run(
    superuser,
    'drop view recent; drop type mood; drop sequence later; create table newer ()',
  );
  await last.close();
  const again = await openForCommand(dataDir);
  await run(again.url, 'drop table newer');
  await expectOwner(again.url);
  await again.close();

  const copy = join(parent, 'copy.tar');
  expect(await command(dataDir, 'backup', copy)).toMatchObject({ code: 0 });
  const moved = join(parent, 'moved');
  expect(await command(moved, 'restore', copy)).toMatchObject({ code: 0 });
  const restored = await openForCommand(moved);
  await expectOwner(restored.url);
  expect(await run(restored.url, 'select count(*)::int as n from slot')).toEqual([{ n: 1 }]);
  await restored.close();
});
