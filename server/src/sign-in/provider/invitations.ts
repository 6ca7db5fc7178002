/** Links with which an invited user sets a password: signed, dated, and invalid once the password has changed. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { guidOf } from '../../config/guids.ts';
import type { Clock } from '../../config/clock.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { type Account, findAccount, setPasswordHash } from '../../organisations/accounts.ts';
import { hashPassword } from './passwords.ts';
import { providerPath } from './provider.ts';
import { forgetProviderRecordsOf } from './records.ts';
import { requireSignInAgain } from '../sessions.ts';
import { forgetSsoTokensOf } from '../sso-tokens.ts';

/** Days that an invitation is valid. */
export const invitationDays = 7;

const guidBytes = 16;
const bodyBytes = guidBytes + 4;

export interface InvitationDeps {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'getCurrentKey' | 'listKeys'>;
  readonly clock: Clock;
}

/** The purpose of the keys that sign invitations. */
export const invitationKeyPurpose = 'invitation';

/** Includes the current password hash: setting a password invalidates all earlier links, used or not. */
function sign(key: Uint8Array, body: Uint8Array, account: Account): Buffer {
  return createHmac('sha256', key)
    .update(body)
    .update(account.passwordHash ?? '')
    .digest();
}

/** The path of a link with which the account's owner sets a password, valid for {@link invitationDays}. */
export async function createInvitationPath(
  deps: Pick<InvitationDeps, 'clock'> & { readonly secrets: Pick<Secrets, 'getCurrentKey'> },
  account: Account,
): Promise<string> {
  const body = Buffer.alloc(bodyBytes);
  body.write(account.guid.replaceAll('-', ''), 'hex');
  const seconds = Math.floor(deps.clock.now().getTime() / 1000) + invitationDays * 86_400;
  body.writeUInt32BE(seconds, guidBytes);
  const { key } = await deps.secrets.getCurrentKey(invitationKeyPurpose);
  const token = Buffer.concat([body, sign(key, body, account)]).toString('base64url');
  return `${providerPath}/password/${token}`;
}

/** The account whose password a link can set; null when the link is not ours, too old, or used. */
export async function findInvited(deps: InvitationDeps, token: string): Promise<Account | null> {
  const bytes = Buffer.from(token, 'base64url');
  // Accepts only the spelling that we issued: a used link must not be valid again in another spelling.
  if (bytes.toString('base64url') !== token) return null;
  const body = bytes.subarray(0, bodyBytes);
  const signature = bytes.subarray(bodyBytes);
  if (signature.length !== 32) return null;
  if (body.readUInt32BE(guidBytes) * 1000 < deps.clock.now().getTime()) return null;
  const account = await findAccount(deps.db, guidOf(body.subarray(0, guidBytes)));
  if (account === null) return null;
  const keys = await deps.secrets.listKeys(invitationKeyPurpose);
  const isOurs = keys.some(({ key }) => timingSafeEqual(signature, sign(key, body, account)));
  return isOurs ? account : null;
}

/**
 * Sets the password; false if the link has since been used. Users who signed in with the previous password, or are just
 * signing in, must sign in again.
 */
export async function acceptInvitation(
  db: Db,
  account: Account,
  password: string,
): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (trx) => {
    if (!(await setPasswordHash(trx, account, passwordHash))) return false;
    await forgetProviderRecordsOf(trx, account.guid);
    await forgetSsoTokensOf(trx, account.guid);
    await requireSignInAgain(trx, account.guid);
    return true;
  });
}
