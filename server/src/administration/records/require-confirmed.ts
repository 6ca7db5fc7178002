/** Actions that could take over accounts or end all sessions need a recent sign-in. */
import { Refusal } from '@recodery/contract/refusal';
import type { Caller } from '../../organisations/caller.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { isConfirmed } from '../../sign-in/confirmed-sessions.ts';

/** Refuses sessions whose user did not sign in or enter the password recently. @throws {Refusal} CONFIRM_ACCOUNT */
export async function requireConfirmed(db: Db, caller: Caller): Promise<void> {
  if (caller.kind === 'person' && (await isConfirmed(db, caller.sessionGuid))) return;
  throw new Refusal('CONFIRM_ACCOUNT');
}
