/** Owns the table access_token: how a client application gets a token, and what a token gives access to. */
import { mostTokens, mostTokensAMinute, tokenDays } from '@recodery/contract/features/clients';
import { Refusal } from '@recodery/contract/refusal';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { isGuid } from '../config/guids.ts';
import { logSender } from '../http/requests/request-log.ts';
import { Throttled } from '../http/requests/throttled.ts';
import { type ClientCaller, mintOrganisationId } from '../organisations/caller.ts';
import { rightsColumns, rightsOf } from '../organisations/organisations.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { hashSecret, isUseDue, livingClients, mintSecret, recordUse } from './clients.ts';
import { isInNetworks } from './networks.ts';

/** The credentials that a client sends for a token. Neither value has been checked yet. */
export interface Credentials {
  readonly clientApplicationGUID: string;
  readonly secretKey: string;
}

/** A new token, of which only a hash is stored, and its expiry, which is never after that of its client. */
export interface AccessToken {
  readonly accessToken: string;
  readonly expiresOn: string;
}

/**
 * Issues a token; older ones stay valid. `address` is the caller's.
 * @throws {Refusal} INVALID_CREDENTIALS, also for a revoked or expired client; IP_NOT_ALLOWED; API_ERROR_THROTTLING
 *   or TOO_MANY_ACCESS_TOKENS
 */
export async function issueToken(
  db: Db,
  { clientApplicationGUID, secretKey }: Credentials,
  address: string,
): Promise<AccessToken> {
  if (!isGuid(clientApplicationGUID)) throw new Refusal('INVALID_CREDENTIALS');
  const client = await livingClients(db)
    .where('client_application.guid', '=', clientApplicationGUID.toLowerCase())
    .where('client_application.secret_hash', '=', hashSecret(secretKey))
    .select(['client_application.guid', 'client_application.allowed_networks'])
    .select(isUseDue.as('is_use_due'))
    .executeTakeFirst();
  if (client === undefined) throw new Refusal('INVALID_CREDENTIALS');
  if (!isInNetworks(address, client.allowed_networks)) throw new Refusal('IP_NOT_ALLOWED');
  if (client.is_use_due) await recordUse(db, client.guid);
  return db.transaction().execute((trx) => insertToken(trx, client.guid));
}

/**
 * Responds to a token request. The log line names the client application even if it is refused, so that attempts to
 * guess its secret can be found. @throws {Refusal} as {@link issueToken} does
 */
export function answerTokenRequest(
  db: Db,
  { body, request }: { readonly body: Credentials; readonly request: FastifyRequest },
): Promise<AccessToken> {
  const guid = body.clientApplicationGUID.toLowerCase();
  // anything else could be a secret in the wrong field
  if (isGuid(guid)) logSender(request, { client: guid });
  return issueToken(db, body, request.ip);
}

async function insertToken(trx: Db, clientGuid: string): Promise<AccessToken> {
  await refuseWhenThrottled(trx, clientGuid);
  const accessToken = mintSecret();
  const { expires_on } = await trx
    .insertInto('access_token')
    .columns(['token_hash', 'client_guid', 'expires_on'])
    .expression((eb) =>
      eb
        .selectFrom('client_application')
        .where('guid', '=', clientGuid)
        .select([
          sql<Buffer>`${hashSecret(accessToken)}::bytea`.as('token_hash'),
          'guid',
          sql<Date>`least(expires_on, now() + make_interval(days => ${tokenDays}))`.as('end'),
        ]),
    )
    .returning('expires_on')
    .executeTakeFirstOrThrow();
  return { accessToken, expiresOn: expires_on.toISOString() };
}

/**
 * Refuses a token beyond the limits of a client. The client's row stays locked, so that they apply to concurrent
 * requests.
 */
async function refuseWhenThrottled(trx: Db, clientGuid: string): Promise<void> {
  await trx
    .selectFrom('client_application')
    .select('guid')
    .where('guid', '=', clientGuid)
    .modifyEnd(sql`for no key update`)
    .execute();
  const isRecent = sql<boolean>`created_on > now() - interval '1 minute'`;
  const { recent, freeIn, living, expiresIn } = await trx
    .selectFrom('access_token')
    .where('client_guid', '=', clientGuid)
    .where('expires_on', '>', sql<Date>`now()`)
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere(isRecent).as('recent'),
      fn.countAll<string>().as('living'),
      sql<number>`extract(epoch from min(created_on) filter (where ${isRecent})
        + interval '1 minute' - now())::float`.as('freeIn'),
      sql<number>`extract(epoch from min(expires_on) - now())::float`.as('expiresIn'),
    ])
    .executeTakeFirstOrThrow();
  if (Number(recent) >= mostTokensAMinute) throw new Throttled('API_ERROR_THROTTLING', freeIn);
  if (Number(living) >= mostTokens) throw new Throttled('TOO_MANY_ACCESS_TOKENS', expiresIn);
}

const tokenForm = /^[\w-]{43}$/;

/**
 * The client application that presents a token. One query by the token's hash.
 * @throws {Refusal} API_ERROR_UNAUTHORIZED when the token or its client is revoked or expired, IP_NOT_ALLOWED
 */
export async function authenticateClient(
  db: Db,
  token: string,
  address: string,
): Promise<ClientCaller> {
  if (!tokenForm.test(token)) throw new Refusal('API_ERROR_UNAUTHORIZED');
  const row = await livingClients(db)
    .modifyFront(keepPlan)
    .innerJoin('access_token', 'access_token.client_guid', 'client_application.guid')
    .where('access_token.token_hash', '=', hashSecret(token))
    .where('access_token.expires_on', '>', sql<Date>`now()`)
    .select([
      'client_application.guid',
      'client_application.name',
      'client_application.allowed_networks',
      'organisation.guid as organisation_guid',
      'organisation.customer_code',
    ])
    .select(rightsColumns)
    .select(isUseDue.as('is_use_due'))
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('API_ERROR_UNAUTHORIZED');
  if (!isInNetworks(address, row.allowed_networks)) throw new Refusal('IP_NOT_ALLOWED');
  if (row.is_use_due) await recordUse(db, row.guid);
  return {
    kind: 'client',
    accountGuid: null,
    clientGuid: row.guid,
    displayName: row.name,
    hasPortalAccess: true,
    organisationId: mintOrganisationId(row.organisation_guid),
    customerCode: row.customer_code,
    rights: rightsOf(row),
  };
}

/** Deletes the tokens that have expired; returns how many. */
export async function deleteExpiredTokens(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('access_token')
    .where('expires_on', '<', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
