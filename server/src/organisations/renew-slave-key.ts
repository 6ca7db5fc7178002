/** Renews the key of a slave device: for operators in the browser and at the command line. */
import type { Secrets } from '../secrets/secrets.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { type RenewedKey, renewSlaveKey } from './device-changes.ts';
import { lockDirectory } from './directory/directory.ts';

/** The key before and after; `vendor`: a vendor's service manages it; null: there is no such slave. */
type Renewal = RenewedKey | 'vendor' | null;

/** Renews the key of a slave in the caller's transaction, which must have locked the directory. */
export async function renewKeyWithin(
  trx: Db,
  secrets: Pick<Secrets, 'createKey'>,
  guid: string,
): Promise<Renewal> {
  const master = await trx
    .selectFrom('master_device')
    .innerJoin('slave_device', 'slave_device.master_device_guid', 'master_device.guid')
    .where('slave_device.guid', '=', guid)
    .select('master_device.connection_guid')
    .executeTakeFirst();
  if (master !== undefined && master.connection_guid !== null) return 'vendor';
  return renewSlaveKey(trx, secrets, guid);
}

/** Renews the key of a slave. */
export async function renewKeyOf(
  { db, secrets }: { readonly db: Db; readonly secrets: Pick<Secrets, 'createKey'> },
  guid: string,
): Promise<Renewal> {
  return db.transaction().execute(async (trx) => {
    await lockDirectory(trx);
    return renewKeyWithin(trx, secrets, guid);
  });
}
