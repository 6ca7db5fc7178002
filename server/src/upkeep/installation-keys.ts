/** The keys of the installation as operators see them, without any key, and how they are renewed, replaced and rewrapped. */
import { sql } from 'kysely';
import { shareKeyPurpose } from '../email/link-token.ts';
import { removeTimeLimits } from '../postgres/no-time-limits.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { receiptKeyPurpose } from '../receipts/receipt-keys.ts';
import { newInstallationSecret, type SecretSource } from '../secrets/secret-source.ts';
import { findPresentSecret, rewrapKeys, type Secrets } from '../secrets/secrets.ts';
import { invitationKeyPurpose } from '../sign-in/provider/invitations.ts';
import { sessionKeyPurpose } from '../sign-in/sessions.ts';
import { ticketKeyPurpose } from '../slots/sending/tickets.ts';

/** The purposes of the keys that can be renewed; links in emails and receipts name the key that they were made with. */
export const renewableKeys: readonly string[] = [
  sessionKeyPurpose,
  ticketKeyPurpose,
  invitationKeyPurpose,
  shareKeyPurpose,
  receiptKeyPurpose,
];

/**
 * The keys with which someone could sign in, download a file or sign a receipt. Others cannot be replaced without new
 * devices or clients.
 */
export const replaceableKeys: readonly string[] = [...renewableKeys, 'cookie', 'provider'];

/** Adds keys that replace the present ones once every process knows them; what those have signed stays valid. */
export async function renewKeys(secrets: Secrets, purposes = renewableKeys): Promise<void> {
  for (const purpose of purposes) {
    // the first key, if there is none yet
    await secrets.listKeys(purpose);
    await secrets.renewKey(purpose);
  }
}

/** Adds keys that replace the present ones at once. */
export async function replaceKeys(secrets: Secrets, purposes = replaceableKeys): Promise<void> {
  for (const purpose of purposes) {
    const present = await secrets.listKeys(purpose);
    await secrets.createKey(purpose);
    // last, so that an interruption leaves a valid key
    for (const { keyId } of present) await secrets.retireKey(purpose, keyId);
  }
}

/** An arbitrary number that no other lock in this database uses. */
const rotationLock = 7_263_330;

/** Why the secret was not rotated. `busy`: another rotation has not finished; `same`: it is the present one. */
export type NotRotated = 'from-environment' | 'same' | 'busy';

interface Rotation {
  readonly db: Db;
  readonly secretSource: SecretSource;
}

/**
 * Wraps every key again under a new secret of the installation; returns how many. `wanted`: the new secret; absent: a
 * random one, which is stored in the file of the present one.
 */
export async function rotateSecret(
  { db, secretSource }: Rotation,
  wanted?: string,
): Promise<number | NotRotated> {
  if (secretSource.rotation === null && wanted === undefined) return 'from-environment';
  const next = wanted ?? newInstallationSecret();
  // Two rotations at once would overwrite each other's file, and no secret would open the keys. The transaction owns
  // the lock, even behind a pooler; the keys change in a transaction of their own, which ends before the file changes.
  return db.transaction().execute(async (trx) => {
    await removeTimeLimits(trx);
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(${rotationLock}) as "isOurs"`.execute(trx);
    return rows[0]?.isOurs === true ? rotateTo({ db, secretSource }, next) : 'busy';
  });
}

async function rotateTo({ db, secretSource }: Rotation, next: string): Promise<number | 'same'> {
  const { rotation } = secretSource;
  const candidates = await secretSource.read();
  const present = await findPresentSecret(db, candidates);
  // An earlier rotation was interrupted after the keys had changed: its secret must not be overwritten.
  if (present !== candidates[0]) await rotation?.complete(present);
  if (present === next) return 'same';
  // Stored before the keys change: after any interruption, one of the two files opens them.
  await rotation?.prepare(next);
  const count = await rewrapKeys(db, present, next);
  await rotation?.complete(next);
  return count;
}

/** The keys of a kind: of a purpose, or of all purposes that begin with the same word. */
export interface KeyKind {
  readonly kind: string;
  /** Of the newest key. */
  readonly createdOn: Date;
  /** Keys that are in use. */
  readonly valid: number;
  readonly retired: number;
}

/** The kinds of keys that the database contains. */
export async function listKeyKinds(db: Db): Promise<readonly KeyKind[]> {
  const { rows } = await sql<KeyKind>`
    select split_part(purpose, ':', 1) as kind, max(created_on) as "createdOn",
      (count(*) filter (where retired_on is null))::int as valid,
      (count(*) filter (where retired_on is not null))::int as retired
    from wrapped_key group by 1 order by 1`.execute(db);
  return rows;
}
