/** Owns the table terms_acceptance: who has accepted the terms of use, in which version. */
import type { Db } from '../postgres/tables/schema.ts';

/** Whether an account has accepted this version of the terms. */
export async function hasAcceptedTerms(
  db: Db,
  accountGuid: string,
  termsVersion: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('terms_acceptance')
    .where('account_guid', '=', accountGuid)
    .where('terms_version', '=', termsVersion)
    .select('accepted_on')
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that an account accepts this version; a repeat keeps the first time. */
export async function acceptTerms(
  db: Db,
  accountGuid: string,
  termsVersion: string,
): Promise<void> {
  await db
    .insertInto('terms_acceptance')
    .values({ account_guid: accountGuid, terms_version: termsVersion })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
