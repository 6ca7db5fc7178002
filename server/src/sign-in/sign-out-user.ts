/** Ends all sessions of a user, in every browser. */
import type { Db } from '../postgres/tables/schema.ts';
import { forgetProviderRecordsOf } from './provider/records.ts';
import { endSessionsOf } from './own-sessions.ts';
import { forgetSsoTokensOf } from './sso-tokens.ts';

/** Also ends sign-ins that have begun, and sessions at the embedded provider. Belongs into a transaction. */
export async function signOutUser(trx: Db, accountGuid: string): Promise<void> {
  await forgetProviderRecordsOf(trx, accountGuid);
  await forgetSsoTokensOf(trx, accountGuid);
  await endSessionsOf(trx, accountGuid);
}
