/** Owns the table sso_token: the one-time token with which a browser that returns from the provider gets a session. */
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import type { ProvedAccount } from './confirmed-sessions.ts';

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The owner of a token: the account that has signed in, and the browser that started the sign-in. */
export interface SsoTokenFor extends ProvedAccount {
  readonly browser: string;
}

/** Creates a token of 256 bits, valid once, for 60 s, in one browser. Only its hash is stored. */
export async function createSsoToken(db: Db, wanted: SsoTokenFor): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('sso_token')
    .values({
      token_hash: hash(token),
      account_guid: wanted.accountGuid,
      browser_hash: hash(wanted.browser),
      id_token: wanted.idToken,
      authenticated_on: wanted.authenticatedOn ?? null,
      with_factor: wanted.isWithFactor ?? false,
      expires_on: sql`now() + interval '60 seconds'`,
    })
    .execute();
  return token;
}

/**
 * Redeems a token. Null when it is unknown, expired, used before, or sent by a different browser. A wrong browser does
 * not use it up, because it could otherwise lock out the right one. The session must be written in the same transaction:
 * until it ends, the account's password cannot change.
 */
export async function redeemSsoToken(
  trx: Db,
  token: string,
  browser: string,
): Promise<ProvedAccount | null> {
  // A change of the password has either deleted the token, or waits and then finds the session. Locked first, because
  // the change locks the account before the token, too.
  await trx
    .selectFrom('account')
    .innerJoin('sso_token', 'sso_token.account_guid', 'account.guid')
    .where('sso_token.token_hash', '=', hash(token))
    .select('account.guid')
    .forShare('account')
    .execute();
  const row = await trx
    .updateTable('sso_token')
    .where('token_hash', '=', hash(token))
    .where('browser_hash', '=', hash(browser))
    .where('used_on', 'is', null)
    .where('expires_on', '>', sql<Date>`now()`)
    .set({ used_on: sql`now()` })
    .returning(['account_guid as accountGuid', 'id_token as idToken'])
    .returning(['authenticated_on as authenticatedOn', 'with_factor as isWithFactor'])
    .executeTakeFirst();
  return row ?? null;
}

/** Invalidates an account's tokens. */
export async function forgetSsoTokensOf(db: Db, accountGuid: string): Promise<void> {
  await db.deleteFrom('sso_token').where('account_guid', '=', accountGuid).execute();
}

/** Deletes tokens that can no longer be used; called by the sweep. */
export async function sweepSsoTokens(db: Db): Promise<void> {
  await db
    .deleteFrom('sso_token')
    .where('expires_on', '<', sql<Date>`now() - interval '1 hour'`)
    .execute();
}
