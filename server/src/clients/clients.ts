/** Owns the table client_application: the programs of an organisation, and their secrets. */
import { createHash, randomBytes } from 'node:crypto';
import { type Client, mostClients, type NewClient } from '@recodery/contract/features/clients';
import { Refusal } from '@recodery/contract/refusal';
import { type Selectable, sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import { lockOrganisation } from '../organisations/organisations.ts';
import { notify } from '../postgres/announce.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';

type Row = Omit<Selectable<Database['client_application']>, 'secret_hash' | 'organisation_guid'>;

/** A random secret of 256 bits, as text. */
export function mintSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** How a random secret is stored. It is too long to be guessed, so a fast hash is enough. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The number of the key that signs a client's callbacks: it has one. */
const onlyKeyId = 1;

/** The purpose under which the key that signs a client's callbacks is stored. */
export function webhookPurpose(clientGuid: string): string {
  return `client-webhook:${clientGuid}`;
}

const columns = [
  'client_application.guid',
  'client_application.name',
  'client_application.allowed_networks',
  'client_application.created_on',
  'client_application.expires_on',
  'client_application.last_used_on',
  'client_application.revoked_on',
] as const;

function describeClient(row: Row): Client {
  return {
    clientApplicationGUID: row.guid,
    name: row.name,
    allowedNetworks: row.allowed_networks,
    createdOn: row.created_on.toISOString(),
    expiresOn: row.expires_on?.toISOString() ?? null,
    lastUsedOn: row.last_used_on?.toISOString() ?? null,
    revokedOn: row.revoked_on?.toISOString() ?? null,
  };
}

/** A client to add. `allowedNetworks` are in CIDR notation. */
export interface ClientAsk {
  readonly organisationId: OrganisationId;
  readonly name: string;
  readonly allowedNetworks: readonly string[];
  readonly expiresOn: Date | null;
}

/**
 * Adds a client and returns it with its secrets, which cannot be read again.
 * @throws {Refusal} TOO_MANY_CLIENTS
 */
export async function addClient(
  { db, secrets }: { readonly db: Db; readonly secrets: Pick<Secrets, 'createKey'> },
  ask: ClientAsk,
): Promise<NewClient> {
  const [guid, secretKey] = [newGuid(), mintSecret()];
  return db.transaction().execute(async (trx) => {
    await lockOrganisation(trx, ask.organisationId);
    const { count } = await livingClients(trx)
      .where('organisation_guid', '=', ask.organisationId)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= mostClients) throw new Refusal('TOO_MANY_CLIENTS');
    const row = await trx
      .insertInto('client_application')
      .values({
        guid,
        organisation_guid: ask.organisationId,
        name: ask.name,
        secret_hash: hashSecret(secretKey),
        allowed_networks: [...ask.allowedNetworks],
        expires_on: ask.expiresOn,
      })
      .returning(columns)
      .executeTakeFirstOrThrow();
    const { key } = await secrets.createKey(webhookPurpose(guid), undefined, trx);
    const webhookSecret = `whsec_${Buffer.from(key).toString('base64')}`;
    return { ...describeClient(row), secretKey, webhookSecret };
  });
}

/** The clients of an organisation, newest first, including revoked ones. */
export async function listClients(db: Db, organisationId: OrganisationId): Promise<Client[]> {
  const rows = await db
    .selectFrom('client_application')
    .select(columns)
    .where('organisation_guid', '=', organisationId)
    .orderBy('created_on', 'desc')
    .orderBy('guid', 'desc')
    .execute();
  return rows.map(describeClient);
}

/** A client with the customer code of its organisation, for the operator. */
export interface ClientLine extends Client {
  readonly customerCode: string;
}

/** The clients of all organisations, or of one. */
export async function listAllClients(
  db: Db,
  customerCode: string | null,
): Promise<readonly ClientLine[]> {
  let query = db
    .selectFrom('client_application')
    .innerJoin('organisation', 'organisation.guid', 'client_application.organisation_guid')
    .select(columns)
    .select('organisation.customer_code');
  if (customerCode !== null) query = query.where('organisation.customer_code', '=', customerCode);
  const rows = await query
    .orderBy('organisation.customer_code')
    .orderBy('client_application.created_on', 'desc')
    .execute();
  return rows.map((row) => ({ customerCode: row.customer_code, ...describeClient(row) }));
}

/**
 * Revokes a client and retires the key that signs its callbacks. Idempotent. False when the
 * organisation has no such client. `organisationId` null: of any organisation, for the operator.
 */
export async function revokeClient(
  { db, secrets }: { readonly db: Db; readonly secrets: Pick<Secrets, 'retireKey'> },
  organisationId: OrganisationId | null,
  guid: string,
): Promise<boolean> {
  const ofOrganisation = db
    .selectFrom('client_application')
    .where('guid', '=', guid)
    .$if(organisationId !== null, (query) => query.where('organisation_guid', '=', organisationId));
  const revoked = await db
    .updateTable('client_application')
    .set({ revoked_on: sql`now()` })
    .where('guid', 'in', ofOrganisation.select('guid'))
    .where('revoked_on', 'is', null)
    .returning(['guid', 'organisation_guid'])
    .executeTakeFirst();
  if (revoked === undefined)
    return (await ofOrganisation.select('guid').executeTakeFirst()) !== undefined;
  await secrets.retireKey(webhookPurpose(revoked.guid), onlyKeyId, db);
  // its open event streams end
  const { guid: clientGuid, organisation_guid: organisation } = revoked;
  await notify(db, { kind: 'session', guid: clientGuid, organisation });
  return true;
}

/** Clients that are neither revoked nor expired, of organisations that are not archived. */
export function livingClients(db: Db) {
  return db
    .selectFrom('client_application')
    .innerJoin('organisation', 'organisation.guid', 'client_application.organisation_guid')
    .where('organisation.is_archived', '=', false)
    .where('client_application.revoked_on', 'is', null)
    .where(({ or, eb }) =>
      or([
        eb('client_application.expires_on', 'is', null),
        eb('client_application.expires_on', '>', sql<Date>`now()`),
      ]),
    );
}

/** Those of the clients that are neither revoked nor expired. Streams check this, because they must end with them. */
export async function findLivingClients(
  db: Db,
  clientGuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (clientGuids.length === 0) return new Set();
  const rows = await livingClients(db)
    .where(sql<boolean>`client_application.guid = any(${clientGuids}::uuid[])`)
    .select('client_application.guid')
    .execute();
  return new Set(rows.map(({ guid }) => guid));
}

// At most this often, so that not every call causes a write.
const useGrain = sql`interval '1 minute'`;

/** Whether the use of a client must be recorded; part of the query that finds it. */
export const isUseDue = sql<boolean>`coalesce(
  client_application.last_used_on < now() - ${useGrain}, true)`;

/** Records that a client was used. Only one of several concurrent calls writes. */
export async function recordUse(db: Db, clientGuid: string): Promise<void> {
  await db
    .updateTable('client_application')
    .set({ last_used_on: sql`now()` })
    .where('guid', '=', clientGuid)
    .where(isUseDue)
    .execute();
}
