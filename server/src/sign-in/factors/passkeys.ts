/** Owns the table passkey: keys of authenticators that sign in without a password (WebAuthn). */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  type WebAuthnCredential,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { sql } from 'kysely';
import { isLoopback } from '../../config/config.ts';
import { newGuid } from '../../config/guids.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { createChallenge, spendChallenge } from './passkey-challenges.ts';

/** The dependencies of passkeys. */
export interface PasskeyDeps {
  readonly db: Db;
  /** The origin that browsers use. */
  readonly publicUrl: string;
}

/**
 * Whether browsers offer passkeys at this address: only with https or on this machine, and never for an IP address.
 */
export function canHavePasskeys(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return !isAddress && (protocol === 'https:' || isLoopback(hostname));
}

/** EdDSA, ES256 and RS256: what authenticators use today. Node would warn about newer ones. */
const supportedAlgorithmIDs = [-8, -7, -257];

const idOf = (publicUrl: string): string => new URL(publicUrl).hostname;
const expected = (publicUrl: string) => ({
  expectedOrigin: publicUrl,
  expectedRPID: idOf(publicUrl),
  requireUserVerification: true,
});

/** A user who adds a passkey. */
export interface PasskeyOwner {
  /** The account; during the setup, which has none yet, a GUID that only the authenticator stores. */
  readonly accountGuid: string;
  /** The session or setup link that must use the challenge. */
  readonly during: string;
  readonly email: string;
  readonly displayName: string;
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

/** What a browser needs to create a passkey. */
export async function createPasskeyOptions(
  { db, publicUrl }: PasskeyDeps,
  owner: PasskeyOwner,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const present = await db
    .selectFrom('passkey')
    .select(['credential_id as id', 'transports'])
    .where('account_guid', '=', owner.accountGuid)
    .execute();
  const challenge = await createChallenge(db, owner.during);
  return generateRegistrationOptions({
    rpName: 'Recodery',
    rpID: idOf(publicUrl),
    userName: owner.email,
    userDisplayName: owner.displayName,
    userID: bytesOf(owner.accountGuid),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    supportedAlgorithmIDs,
    excludeCredentials: present,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** The passkey that a browser has created; null if anything about it is wrong. Uses its challenge up. */
export async function verifyNewPasskey(
  { db, publicUrl }: PasskeyDeps,
  owner: PasskeyOwner,
  response: RegistrationResponseJSON,
): Promise<WebAuthnCredential | null> {
  const verified = await verifyRegistrationResponse({
    ...expected(publicUrl),
    response,
    supportedAlgorithmIDs,
    expectedChallenge: (challenge) => spendChallenge(db, owner.during, challenge),
  }).catch(() => null);
  return verified?.verified === true ? verified.registrationInfo.credential : null;
}

/** Adds a verified passkey; false if an account already has it. */
export async function insertPasskey(
  trx: Db,
  accountGuid: string,
  { name, credential }: { readonly name: string; readonly credential: WebAuthnCredential },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('passkey')
    .values({
      guid: newGuid(),
      account_guid: accountGuid,
      name,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: [...(credential.transports ?? [])],
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('guid')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** What a browser needs to sign in with any passkey that it has for this portal; `owner` is the sign-in. */
export async function requestPasskey(
  { db, publicUrl }: PasskeyDeps,
  owner: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const challenge = await createChallenge(db, owner);
  return generateAuthenticationOptions({
    rpID: idOf(publicUrl),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
  });
}

/**
 * The account that a passkey signs in to; null if anything about the response is wrong: its challenge, origin, signature
 * or counter, or because the passkey was removed.
 */
export async function acceptPasskey(
  { db, publicUrl }: PasskeyDeps,
  owner: string,
  response: AuthenticationResponseJSON,
): Promise<string | null> {
  const row = await db
    .selectFrom('passkey')
    .select(['guid', 'account_guid as accountGuid', 'credential_id as id', 'transports'])
    .select(['public_key as publicKey', sql<number>`counter::float8`.as('counter')])
    .where('credential_id', '=', response.id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { guid, accountGuid, id, transports, counter } = row;
  const publicKey = new Uint8Array(row.publicKey);
  const verified = await verifyAuthenticationResponse({
    ...expected(publicUrl),
    response,
    expectedChallenge: (challenge) => spendChallenge(db, owner, challenge),
    credential: { id, publicKey, counter, transports },
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const used = await db
    .updateTable('passkey')
    .set({ counter: verified.authenticationInfo.newCounter, last_used_on: sql`now()` })
    .where('guid', '=', guid)
    // another sign-in may have used the same count
    .where('counter', '=', counter)
    .returning('guid')
    .executeTakeFirst();
  return used === undefined ? null : accountGuid;
}

/** The passkeys of an account, the oldest first. */
export async function listPasskeys(db: Db, accountGuid: string) {
  return db
    .selectFrom('passkey')
    .select(['guid', 'name', 'created_on as createdOn', 'last_used_on as lastUsedOn'])
    .where('account_guid', '=', accountGuid)
    .orderBy('created_on')
    .orderBy('guid')
    .execute();
}

/** Removes one of the account's passkeys, or all; returns their names. */
export async function removePasskeys(
  trx: Db,
  accountGuid: string,
  guid: string | null = null,
): Promise<readonly string[]> {
  const removed = await trx
    .deleteFrom('passkey')
    .where('account_guid', '=', accountGuid)
    .$if(guid !== null, (query) => query.where(sql`guid::text`, '=', guid))
    .returning('name')
    .execute();
  return removed.map(({ name }) => name);
}
