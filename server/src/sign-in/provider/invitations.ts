/** Links with which an invited user sets a password: signed, dated, and invalid once the password has changed. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { formatGuid } from '../../config/guids.ts';
import type { Clock } from '../../config/clock.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import {
  type Account,
  findAccount,
  markEmailVerified,
  setPasswordHash,
} from '../../organisations/accounts.ts';
import { hashPassword } from './passwords/passwords.ts';
import { providerPath } from './provider.ts';
import { forgetProviderRecordsOf } from './records.ts';
import { endSessionsOf } from '../own-sessions.ts';
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

/**
 * What a link is for. Both set a password; `emailed` also proves that the user receives email at the account's address,
 * because only the recipient of the email has seen the link. `password` is emailed too, on the user's own request.
 */
export type LinkPurpose = 'copied' | 'emailed' | 'password';

/** `copied` is signed without a name, as before there were others. */
const signedNames: Readonly<Record<LinkPurpose, string>> = {
  copied: '',
  emailed: 'emailed\n',
  password: 'password\n',
};

/** Includes the current password hash: setting a password invalidates all earlier links, used or not. */
function sign(key: Uint8Array, body: Uint8Array, account: Account, purpose: LinkPurpose): Buffer {
  return createHmac('sha256', key)
    .update(signedNames[purpose])
    .update(body)
    .update(account.passwordHash ?? '')
    .digest();
}

/** When an invitation of this time expires. */
export function invitationExpiry(invitedOn: Date): Date {
  return new Date(invitedOn.getTime() + invitationDays * 86_400_000);
}

/** The path of a link with which the account's owner sets a password, valid for {@link invitationDays}. */
export async function createInvitationPath(
  deps: Pick<InvitationDeps, 'clock'> & { readonly secrets: Pick<Secrets, 'getCurrentKey'> },
  account: Account,
): Promise<string> {
  return createPasswordPath(deps, account, 'copied', invitationExpiry(deps.clock.now()));
}

/** The path of a link with which the account's owner sets a password, valid until `expiresOn`. */
export async function createPasswordPath(
  { secrets }: { readonly secrets: Pick<Secrets, 'getCurrentKey'> },
  account: Account,
  purpose: LinkPurpose,
  expiresOn: Date,
): Promise<string> {
  const body = Buffer.alloc(bodyBytes);
  body.write(account.guid.replaceAll('-', ''), 'hex');
  body.writeUInt32BE(Math.floor(expiresOn.getTime() / 1000), guidBytes);
  const { key } = await secrets.getCurrentKey(invitationKeyPurpose);
  const token = Buffer.concat([body, sign(key, body, account, purpose)]).toString('base64url');
  return `${providerPath}/password/${token}`;
}

/** A valid link: the account whose password it can set, and how its owner got it. */
export interface PasswordLink {
  readonly account: Account;
  readonly purpose: LinkPurpose;
}

/** What a link can do; null when the link is not ours, too old, or used. */
export async function findInvited(
  deps: InvitationDeps,
  token: string,
): Promise<PasswordLink | null> {
  const bytes = Buffer.from(token, 'base64url');
  // Accepts only the spelling that we issued: a used link must not be valid again in another spelling.
  if (bytes.toString('base64url') !== token) return null;
  const body = bytes.subarray(0, bodyBytes);
  const signature = bytes.subarray(bodyBytes);
  if (signature.length !== 32) return null;
  if (body.readUInt32BE(guidBytes) * 1000 < deps.clock.now().getTime()) return null;
  const account = await findAccount(deps.db, formatGuid(body.subarray(0, guidBytes)));
  if (account === null) return null;
  const keys = await deps.secrets.listKeys(invitationKeyPurpose);
  const purpose = (Object.keys(signedNames) as LinkPurpose[]).find((name) =>
    keys.some(({ key }) => timingSafeEqual(signature, sign(key, body, account, name))),
  );
  return purpose === undefined ? null : { account, purpose };
}

/**
 * Sets the password; false if the link has since been used. Users who signed in with the previous password, or are just
 * signing in, must sign in again. If the user has forgotten the password, all sessions end: someone else may have them.
 */
export async function acceptInvitation(
  db: Db,
  { account, purpose }: PasswordLink,
  password: string,
): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (trx) => {
    if (!(await setPasswordHash(trx, account, passwordHash))) return false;
    await forgetProviderRecordsOf(trx, account.guid);
    await forgetSsoTokensOf(trx, account.guid);
    if (purpose === 'password') await endSessionsOf(trx, account.guid);
    else await requireSignInAgain(trx, account.guid);
    if (purpose !== 'copied') await markEmailVerified(trx, account.guid);
    return true;
  });
}
