/** Owns the table maintenance: whether the operator has suspended the service, or plans to. */
import { sql } from 'kysely';
import { notify } from '../postgres/announce.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** Whether maintenance is on. */
export async function isMaintenanceOn(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isOn: boolean }>`select maintenance_is_on() as "isOn"`.execute(db);
  return rows[0]?.isOn === true;
}

/** Maintenance as an operator sets it. */
export interface MaintenancePlan {
  /** From now until it is turned off. */
  readonly isOn: boolean;
  /** When it is planned to begin; null: it is not planned. */
  readonly from: Date | null;
  /** When planned maintenance ends; null: when the plan is removed. */
  readonly to: Date | null;
}

/** What is set, and what follows from it at this moment. A plan that has ended is none. */
export async function readMaintenance(
  db: Db,
): Promise<MaintenancePlan & { readonly state: 'off' | 'planned' | 'on' }> {
  return db
    .selectFrom('maintenance')
    .select(['is_on as isOn', 'planned_from as from', 'planned_to as to'])
    .select(
      sql<'off' | 'planned' | 'on'>`case when maintenance_is_on() then 'on'
        when planned_from > now() then 'planned' else 'off' end`.as('state'),
    )
    .executeTakeFirstOrThrow();
}

/** Sets maintenance and its plan, and lets every open page check the status. In a transaction. */
export async function saveMaintenance(trx: Db, { isOn, from, to }: MaintenancePlan): Promise<void> {
  await trx
    .updateTable('maintenance')
    .set({ is_on: isOn, planned_from: from, planned_to: to, changed_on: sql<Date>`now()` })
    .execute();
  await notify(trx, { kind: 'service-status', guid: null, organisation: null });
}

/** What turning maintenance on or off changed. `plan-ended`: a plan had begun, and is removed. */
export type MaintenanceChange = 'none' | 'changed' | 'plan-ended';

/**
 * Turns maintenance on or off, and announces it to every open page. Off also removes a plan that has begun, because it
 * would still refuse new work. A plan for later stays.
 */
export async function setMaintenance(db: Db, isOn: boolean): Promise<MaintenanceChange> {
  return db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('maintenance')
      .select('is_on as isOn')
      .select(
        sql<boolean>`planned_from is not null and planned_from <= now()
          and (planned_to is null or planned_to > now())`.as('isPlanActive'),
      )
      .forUpdate()
      .executeTakeFirstOrThrow();
    const endsPlan = !isOn && before.isPlanActive;
    if (before.isOn === isOn && !endsPlan) return 'none';
    await trx
      .updateTable('maintenance')
      .set({ is_on: isOn, changed_on: sql<Date>`now()` })
      .$if(endsPlan, (update) => update.set({ planned_from: null, planned_to: null }))
      .execute();
    await notify(trx, { kind: 'service-status', guid: null, organisation: null });
    return endsPlan ? 'plan-ended' : 'changed';
  });
}
