/**
 * The role with which portal, worker and commands use an embedded database: it owns the database and can do nothing else.
 * The superuser's connections are the supervisor's.
 */
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { CannotStart } from '../config/cannot-start.ts';
import { connectOnce } from './database.ts';

/** The superuser of each cluster. Versions until 0.9.0 used it for everything. */
export const superuser = 'recodery';
const owner = 'recodery_app';
const database = 'recodery';

/** How to connect to a cluster's server. */
export interface ClusterUrls {
  /** The database, as its owner. */
  readonly url: string;
  /**
   * The superuser, in a database in which the owner can change nothing: what the owner creates must not run with the
   * superuser's rights.
   */
  readonly adminUrl: string;
}

/** The addresses of the server with this socket, by the superuser's password. */
export function urlsOf(socketFolder: string, password: string): ClusterUrls {
  // derived, so that a cluster has one secret, and no version leaves one behind that the next does not know
  const derived = createHmac('sha256', password).update(owner).digest('base64url');
  return {
    url: makeUrl(socketFolder, owner, derived, database),
    adminUrl: makeUrl(socketFolder, superuser, password, 'postgres'),
  };
}

function makeUrl(socketFolder: string, user: string, password: string, name: string): string {
  return `postgresql://${user}:${password}@${encodeURIComponent(socketFolder)}/${name}`;
}

/**
 * Creates the owner and the database if they are missing, and gives the owner what belongs to the superuser: everything
 * that a version until 0.9.0 has created.
 */
export async function prepareOwner({ url, adminUrl }: ClusterUrls): Promise<void> {
  const { password } = new URL(url);
  await runAs(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ hasRole: boolean; owner: string | null }>(
      `select exists (select from pg_roles where rolname = $1) as "hasRole",
        (select pg_get_userbyid(datdba) from pg_database where datname = $2) as owner`,
      [owner, database],
    );
    const { hasRole = false, owner: present = null } = rows[0] ?? {};
    await admin.query(
      `${hasRole ? 'alter' : 'create'} role ${owner} with login nosuperuser nocreatedb nocreaterole
        noreplication nobypassrls password ${pg.escapeLiteral(password)}`,
    );
    if (present === null) await admin.query(`create database ${database} owner ${owner}`);
    else if (present !== owner) await admin.query(`alter database ${database} owner to ${owner}`);
  });
  await runAs(insideOf(adminUrl), async (admin) => {
    const { rows } = await admin.query<{ statement: string }>(listTransfers);
    // several statements without parameters are one transaction
    if (rows.length > 0) await admin.query(rows.map(({ statement }) => statement).join(';'));
  }).catch((error: unknown) => {
    throw isLockTimeout(error)
      ? new CannotStart(
          'An older version of Recodery is using the embedded database. Stop it, then try again.',
        )
      : error;
  });
}

/** The superuser in the database, with a search path that its owner cannot change. */
function insideOf(adminUrl: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  url.searchParams.set('options', '-c search_path=pg_catalog -c lock_timeout=10s');
  return url.href;
}

/** A statement for each relation, function and type that belongs to the superuser. */
const listTransfers = `
  with object as (
    select 'pg_class'::regclass as class, oid, relnamespace as namespace, relowner as role,
        oid::regclass::text as name,
        case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
          else 'table' end as kind
      from pg_class where relkind in ('r', 'p', 'v', 'm', 'S')
    union all
    select 'pg_proc'::regclass, oid, pronamespace, proowner, oid::regprocedure::text, 'routine'
      from pg_proc
    union all
    select 'pg_type'::regclass, oid, typnamespace, typowner, oid::regtype::text, 'type'
      from pg_type where typtype in ('e', 'd', 'r')
        or typtype = 'c' and exists (select from pg_class where oid = typrelid and relkind = 'c'))
  select format('alter %s %s owner to ${owner}', kind, name) as statement from object
    where role = '${superuser}'::regrole
      and namespace not in (
        select oid from pg_namespace where nspname ~ '^(pg_|information_schema$)')
      -- those of an extension stay; the sequence of a column follows its table
      and not exists (select from pg_depend
        where classid = class and objid = object.oid
          and (deptype = 'e' or kind = 'sequence' and deptype in ('a', 'i')))`;

/** PostgreSQL's code for a lock that was not free in time. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

async function runAs(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await connectOnce(url, 'recodery supervisor');
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
