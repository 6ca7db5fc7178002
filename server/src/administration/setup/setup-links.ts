/** Owns the table setup_link: the links with which an installation without users is set up. */
import { createHash, randomBytes } from 'node:crypto';
import { setupPath } from '@recodery/contract/admin/setup';
import { sql } from 'kysely';
import type { Db } from '../../postgres/tables/schema.ts';

/** Hours that a link is valid. */
export const setupHours = 24;

const hash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Whether the installation has users; then no link is valid any more. */
async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('account').select('guid').limit(1).execute()).length > 0;
}

/**
 * Creates a link, of which only a hash is stored; null if the installation has users. Earlier links stay valid, because
 * several portals can start at once, and each prints one.
 */
export async function createSetupLink(db: Db, publicUrl: string): Promise<string | null> {
  if (await hasUsers(db)) return null;
  const token = randomBytes(32).toString('base64url');
  await db.deleteFrom('setup_link').where('expires_on', '<', sql<Date>`now()`).execute();
  await db
    .insertInto('setup_link')
    .values({
      token_hash: hash(token),
      expires_on: sql`now() + make_interval(hours => ${setupHours})`,
    })
    .execute();
  return `${publicUrl}${setupPath}?token=${token}`;
}

const validLinks = (db: Db, token: string) =>
  db
    .selectFrom('setup_link')
    .where('token_hash', '=', hash(token))
    .where('used_on', 'is', null)
    .where('expires_on', '>', sql<Date>`now()`);

/** Until when a link is valid; null if it is not. */
export async function findSetupLink(db: Db, token: string): Promise<Date | null> {
  const link = await validLinks(db, token).select('expires_on').executeTakeFirst();
  return link === undefined || (await hasUsers(db)) ? null : link.expires_on;
}

/** Uses a link up; false if it is not valid. The caller has locked the directory, so no user can be added meanwhile. */
export async function useSetupLink(trx: Db, token: string): Promise<boolean> {
  if (await hasUsers(trx)) return false;
  const { numUpdatedRows } = await trx
    .updateTable('setup_link')
    .where('token_hash', '=', hash(token))
    .where('used_on', 'is', null)
    .where('expires_on', '>', sql<Date>`now()`)
    .set({ used_on: sql`now()` })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
