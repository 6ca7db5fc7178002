/** Owns the table maintenance: whether the operator has suspended the service. */
import { sql } from 'kysely';
import { notify } from '../postgres/announce.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** Whether maintenance is on. */
export async function isMaintenanceOn(db: Db): Promise<boolean> {
  const row = await db.selectFrom('maintenance').select('is_on').executeTakeFirst();
  return row?.is_on ?? false;
}

/** Turns maintenance on or off, and announces it to every open page; returns whether that changed anything. */
export async function setMaintenance(db: Db, isOn: boolean): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('maintenance')
      .set({ is_on: isOn, changed_on: sql<Date>`now()` })
      .where('is_on', '!=', isOn)
      .returning('is_on')
      .executeTakeFirst();
    if (row === undefined) return false;
    await notify(trx, { kind: 'service-status', guid: null, organisation: null });
    return true;
  });
}
