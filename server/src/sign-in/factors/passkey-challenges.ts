/** Owns the table passkey_challenge: what an authenticator must sign, once, for one sign-in or session. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../postgres/tables/schema.ts';

/** How long an authenticator can take. */
const life = sql`interval '5 minutes'`;

/** Creates a challenge, in Base64url. `owner`: the sign-in or session that must use it. */
export async function createChallenge(db: Db, owner: string): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await db
    .insertInto('passkey_challenge')
    .values({ challenge, owner, expires_on: sql`now() + ${life}` })
    .execute();
  return challenge;
}

/** Uses a challenge up; false if it was used, has expired, or belongs to another owner. */
export async function spendChallenge(db: Db, owner: string, challenge: string): Promise<boolean> {
  // a value that a text column cannot store was never issued
  if (!/^[\w-]{43}$/.test(challenge)) return false;
  const spent = await db
    .deleteFrom('passkey_challenge')
    .where('challenge', '=', challenge)
    .where('owner', '=', owner)
    .where('expires_on', '>', sql<Date>`now()`)
    .returning('challenge')
    .executeTakeFirst();
  return spent !== undefined;
}

/** Deletes challenges that can no longer be used; called by the sweep. */
export async function sweepChallenges(db: Db): Promise<void> {
  await db.deleteFrom('passkey_challenge').where('expires_on', '<', sql<Date>`now()`).execute();
}
