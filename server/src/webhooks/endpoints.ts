/** Owns the table webhook_endpoint: where an organisation wants to receive messages, and the keys that sign them. */
import { Refusal } from '@recodery/contract/refusal';
import { mostWebhooks, type NewWebhook, type Webhook } from '@recodery/contract/features/webhooks';
import { isGuid, newGuid } from '../config/guids.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import { lockOrganisation } from '../organisations/organisations.ts';
import type { Db } from '../postgres/tables/schema.ts';

const columns = [
  'webhook_endpoint.guid',
  'webhook_endpoint.url',
  'webhook_endpoint.created_on',
] as const;

/** The purpose under which the key that signs an endpoint's messages is stored. */
export function endpointPurpose(guid: string): string {
  return `webhook-endpoint:${guid}`;
}

function describeEndpoint(row: { guid: string; url: string; created_on: Date }): Webhook {
  return { guid: row.guid, url: row.url, createdOn: row.created_on.toISOString() };
}

/**
 * Adds an endpoint and returns it with its secret, which cannot be read again. The address must already be checked.
 * @throws {Refusal} BAD_REQUEST if the organisation has too many
 */
export async function addEndpoint(
  { db, secrets }: { readonly db: Db; readonly secrets: Pick<Secrets, 'createKey'> },
  organisationId: OrganisationId,
  url: string,
): Promise<NewWebhook> {
  return db.transaction().execute(async (trx) => {
    await lockOrganisation(trx, organisationId);
    if ((await listEndpoints(trx, organisationId)).length >= mostWebhooks)
      throw new Refusal('BAD_REQUEST');
    const row = await trx
      .insertInto('webhook_endpoint')
      .values({ guid: newGuid(), organisation_guid: organisationId, url })
      .returning(columns)
      .executeTakeFirstOrThrow();
    const { key } = await secrets.createKey(endpointPurpose(row.guid), undefined, trx);
    return { ...describeEndpoint(row), secret: `whsec_${Buffer.from(key).toString('base64')}` };
  });
}

/** The endpoints of an organisation, newest first. */
export async function listEndpoints(db: Db, organisationId: OrganisationId): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(columns)
    .where('organisation_guid', '=', organisationId)
    .orderBy('created_on', 'desc')
    .orderBy('guid', 'desc')
    .execute();
  return rows.map(describeEndpoint);
}

/** An endpoint with the customer code of its organisation, for the operator. */
export interface EndpointLine extends Webhook {
  readonly customerCode: string;
}

/** The endpoints of all organisations, or of one. */
export async function listAllEndpoints(
  db: Db,
  customerCode: string | null,
): Promise<readonly EndpointLine[]> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .innerJoin('organisation', 'organisation.guid', 'webhook_endpoint.organisation_guid')
    .select(columns)
    .select('organisation.customer_code')
    .$if(customerCode !== null, (query) =>
      query.where('organisation.customer_code', '=', customerCode),
    )
    .orderBy('organisation.customer_code')
    .orderBy('webhook_endpoint.created_on', 'desc')
    .execute();
  return rows.map((row) => ({ customerCode: row.customer_code, ...describeEndpoint(row) }));
}

/**
 * Removes an endpoint with its messages; those in progress are not retried. False when the organisation has no such
 * endpoint. `organisationId` null: of any organisation, for the operator.
 */
export async function removeEndpoint(
  db: Db,
  organisationId: OrganisationId | null,
  guid: string,
): Promise<boolean> {
  if (!isGuid(guid)) return false;
  const removed = await db
    .deleteFrom('webhook_endpoint')
    .where('guid', '=', guid.toLowerCase())
    .$if(organisationId !== null, (query) => query.where('organisation_guid', '=', organisationId))
    .returning('guid')
    .executeTakeFirst();
  return removed !== undefined;
}
