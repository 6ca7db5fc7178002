/** Owns the table engine_connection: the engines of vendors that master devices can use, with wrapped credentials. */
import type { ConnectionKind } from '@recodery/contract/features/engines';
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { inTransaction } from '../postgres/tables/in-transaction.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** A connection to a vendor's engine. Its secret is stored separately. */
export interface EngineConnection {
  readonly guid: string;
  /** Unique among the connections that are not removed. */
  readonly name: string;
  readonly kind: ConnectionKind;
  /** The base address, without a final slash; it may have a path. */
  readonly url: string;
  /** What identifies this portal at the vendor, such as the GUID of a client application; null: its kind has no such. */
  readonly clientGuid: string | null;
  /** The number of the secret that belongs to this address and client application. */
  readonly secretNumber: number;
  readonly isRemoved: boolean;
}

export interface ConnectionDependencies {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'createKey' | 'retireKeys'>;
}

function purposeOf(guid: string): string {
  return `engine:${guid}`;
}

/** Read in the query of the connection: a secret is replaced together with the address. */
const secretNumber = sql<number>`(
  select max(key_id) from wrapped_key where purpose = ${purposeOf('')} || engine_connection.guid)`;

function connections(db: Db) {
  return db
    .selectFrom('engine_connection')
    .select(['guid', 'name', 'kind', 'url', 'client_guid as clientGuid'])
    .select(secretNumber.as('secretNumber'))
    .select(sql<boolean>`removed_on is not null`.as('isRemoved'));
}

/** The connections that are not removed, by name. */
export function listConnections(db: Db): Promise<readonly EngineConnection[]> {
  return connections(db).where('removed_on', 'is', null).orderBy('name').execute();
}

/** The connection of that name that is not removed, or null. */
export async function findConnection(db: Db, name: string): Promise<EngineConnection | null> {
  const row = await connections(db)
    .where('removed_on', 'is', null)
    .where('name', '=', name)
    .executeTakeFirst();
  return row ?? null;
}

/** A connection by its guid, removed or not. @throws when there is none */
export function getConnection(db: Db, guid: string): Promise<EngineConnection> {
  return connections(db).where('guid', '=', guid).executeTakeFirstOrThrow();
}

/** The secret that belongs to a connection as it was read; both may have been replaced since. */
export async function getConnectionSecret(
  { secrets }: { readonly secrets: Pick<Secrets, 'getKey'> },
  connection: Pick<EngineConnection, 'guid' | 'name' | 'secretNumber'>,
): Promise<string> {
  const key = await secrets.getKey(purposeOf(connection.guid), connection.secretNumber);
  if (key === null) throw new Error(`the connection ${connection.name} has no secret`);
  return Buffer.from(key).toString('utf8');
}

/** Adds a connection, or changes the address and credentials of the existing one with that name. */
export async function saveConnection(
  { db, secrets }: { readonly db: Db; readonly secrets: Pick<Secrets, 'createKey'> },
  connection: Omit<EngineConnection, 'guid' | 'secretNumber' | 'isRemoved'>,
  secretKey: string,
): Promise<void> {
  const { name, kind, url, clientGuid } = connection;
  await inTransaction(db, async (trx) => {
    const existing = await findConnection(trx, name);
    const guid = existing?.guid ?? newGuid();
    const columns = { kind, url, client_guid: clientGuid };
    if (existing === null)
      await trx
        .insertInto('engine_connection')
        .values({ guid, name, ...columns })
        .execute();
    else await trx.updateTable('engine_connection').where('guid', '=', guid).set(columns).execute();
    await secrets.createKey(purposeOf(guid), Buffer.from(secretKey, 'utf8'), trx);
  });
}

/** Changes the address of a connection. Its credentials stay. */
export async function moveConnection(
  db: Db,
  { guid }: Pick<EngineConnection, 'guid'>,
  url: string,
): Promise<void> {
  await db.updateTable('engine_connection').where('guid', '=', guid).set({ url }).execute();
}

/** The master devices that use a connection, as `family serial`. */
export async function listMastersOfConnection(
  db: Db,
  connectionGuid: string,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('master_device')
    .where('connection_guid', '=', connectionGuid)
    .orderBy('serial_number')
    .select(['family', 'serial_number'])
    .execute();
  return rows.map(({ family, serial_number }) => `${family} ${serial_number}`);
}

/** Removes a connection and its credentials, in the transaction of `db`. The row stays: slots that it decoded refer to it. */
export async function removeConnection(
  { db, secrets }: ConnectionDependencies,
  { guid }: Pick<EngineConnection, 'guid'>,
): Promise<void> {
  await secrets.retireKeys(purposeOf(guid), db);
  await db
    .updateTable('engine_connection')
    .where('guid', '=', guid)
    .set({ removed_on: sql<Date>`now()` })
    .execute();
}
