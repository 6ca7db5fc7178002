/** The second factors of an account together: authenticator apps, passkeys, and the recovery codes that replace them. */
import { Refusal } from '@recodery/contract/refusal';
import { sql } from 'kysely';
import type { Caller } from '../../organisations/caller.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { isWithFactor } from '../confirmed-sessions.ts';
import { signOutUser } from '../sign-out-user.ts';
import { removeApps } from './authenticator-apps.ts';
import type { FactorNews } from './factor-news.ts';
import { removePasskeys } from './passkeys.ts';
import { deleteCodes } from './recovery-codes.ts';

/** Which factors an account has; a password does not suffice if it has any. */
export interface FactorKinds {
  readonly hasApp: boolean;
  readonly hasPasskey: boolean;
}

/** The kinds of factors of an account. */
export async function findFactorKinds(db: Db, accountGuid: string): Promise<FactorKinds> {
  const { rows } = await sql<FactorKinds>`
    select exists (select from authenticator_app where account_guid = ${accountGuid}) as "hasApp",
      exists (select from passkey where account_guid = ${accountGuid}) as "hasPasskey"`.execute(db);
  return rows[0] ?? { hasApp: false, hasPasskey: false };
}

/** Whether an account has a second factor. */
export async function hasFactor(db: Db, accountGuid: string): Promise<boolean> {
  const { hasApp, hasPasskey } = await findFactorKinds(db, accountGuid);
  return hasApp || hasPasskey;
}

/**
 * Refuses operators without a second factor, unless none `isNeeded`. A session that was opened with the password alone
 * stays refused when the account gets one. Demo accounts, whose password is known, sign in only on this machine.
 * @throws {Refusal} SECOND_FACTOR_REQUIRED
 */
export async function requireFactor(db: Db, caller: Caller, isNeeded: boolean): Promise<void> {
  if (!isNeeded || caller.kind !== 'person') return;
  const { accountGuid, sessionGuid } = caller;
  if ((await isWithFactor(db, sessionGuid)) && (await hasFactor(db, accountGuid))) return;
  if (await isDemoAccount(db, accountGuid)) return;
  throw new Refusal('SECOND_FACTOR_REQUIRED');
}

async function isDemoAccount(db: Db, guid: string): Promise<boolean> {
  const account = db.selectFrom('account').where('guid', '=', guid).where('is_demo', '=', true);
  return (await account.select('guid').executeTakeFirst()) !== undefined;
}

/** Whether a user who has just signed in is an operator without a second factor. */
export async function isFactorMissing(db: Db, accountGuid: string): Promise<boolean> {
  const operator = await db
    .selectFrom('account')
    .where('guid', '=', accountGuid)
    .where('is_operator', '=', true)
    .where('is_demo', '=', false)
    .select('guid')
    .executeTakeFirst();
  return operator !== undefined && !(await hasFactor(db, accountGuid));
}

/**
 * Removes all factors of a user who has lost them, and ends all sessions. Belongs into a transaction.
 * Returns the names of the factors.
 */
export async function resetFactors(
  trx: Db,
  accountGuid: string,
  sendNews: FactorNews,
): Promise<readonly string[]> {
  const removed = await removeFactors(trx, accountGuid);
  if (removed.length > 0) await sendNews(trx, { accountGuid, kind: 'factor-removed' });
  await signOutUser(trx, accountGuid);
  return removed;
}

/**
 * Removes one factor of an account, or all; returns their names. Recovery codes are removed with the last one. Belongs
 * into a transaction.
 */
export async function removeFactors(
  trx: Db,
  accountGuid: string,
  guid: string | null = null,
): Promise<readonly string[]> {
  const apps = await removeApps(trx, accountGuid, guid);
  const removed = [...apps, ...(await removePasskeys(trx, accountGuid, guid))];
  if (!(await hasFactor(trx, accountGuid))) await deleteCodes(trx, accountGuid);
  return removed;
}
