/** Renews the key of a slave device: for operators in the browser and at the command line. */
import type { Secrets } from '../secrets/secrets.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { type RenewedKey, renewSlaveKey } from './device-changes.ts';
import { lockDirectory } from './directory/directory.ts';

/** Renews the key of a slave. `vendor`: a vendor's service manages its keys; null: there is no such slave. */
export async function renewKeyOf(
  { db, secrets }: { readonly db: Db; readonly secrets: Pick<Secrets, 'createKey'> },
  guid: string,
): Promise<RenewedKey | 'vendor' | null> {
  return db.transaction().execute(async (trx) => {
    await lockDirectory(trx);
    const master = await trx
      .selectFrom('master_device')
      .innerJoin('slave_device', 'slave_device.master_device_guid', 'master_device.guid')
      .where('slave_device.guid', '=', guid)
      .select('master_device.connection_guid')
      .executeTakeFirst();
    if (master !== undefined && master.connection_guid !== null) return 'vendor';
    return renewSlaveKey(trx, secrets, guid);
  });
}
