/** How strongly a session is proved: when its user last authenticated, and whether with a second factor. */
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';

/** Whom a session is for, and how they have signed in. */
export interface ProvedAccount {
  readonly accountGuid: string;
  readonly idToken: string | null;
  /** When they authenticated at the provider; absent: unknown. */
  readonly authenticatedOn?: Date | null;
  /** Whether they needed a second factor or a passkey. */
  readonly isWithFactor?: boolean;
}

/** How long a session can make risky changes after its user signed in or entered the password. */
const confirmedLife = sql`interval '10 minutes'`;

/** Whether the user of a session signed in at the provider, or entered the password, recently. */
export async function isConfirmed(db: Db, sessionGuid: string): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .where('guid', '=', sessionGuid)
    .where(sql<boolean>`confirmed_on > now() - ${confirmedLife}`)
    .select('guid')
    .executeTakeFirst();
  return row !== undefined;
}

/** Remembers that the user of a session has just entered the password. */
export async function confirmSession(db: Db, guid: string): Promise<void> {
  const session = db.updateTable('session').where('guid', '=', guid);
  await session.set({ confirmed_on: sql`now()` }).execute();
}

/** Whether a session was opened with a second factor, or has added the account's first one. */
export async function isWithFactor(db: Db, sessionGuid: string): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .where('guid', '=', sessionGuid)
    .where('with_factor', '=', true)
    .select('guid')
    .executeTakeFirst();
  return row !== undefined;
}

/** Remembers that a session has added the account's first factor. */
export async function markWithFactor(db: Db, guid: string): Promise<void> {
  const session = db.updateTable('session').where('guid', '=', guid);
  await session.set({ with_factor: true }).execute();
}
