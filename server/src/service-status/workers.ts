/** Owns the table worker_report: which workers are alive, and so whether an engine is available. */
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';

/** Seconds after its last report for which a worker counts as alive. */
const aliveSeconds = 15;

/** Records that a worker with that many engines is alive. */
export async function reportWorker(db: Db, workerGuid: string, engines: number): Promise<void> {
  await db
    .insertInto('worker_report')
    .values({ worker_guid: workerGuid, engines })
    .onConflict((conflict) =>
      conflict.column('worker_guid').doUpdateSet({ engines, reported_on: sql<Date>`now()` }),
    )
    .execute();
}

/** Removes a worker that stops, and all workers that have not reported for a day. */
export async function removeWorker(db: Db, workerGuid: string): Promise<void> {
  await db
    .deleteFrom('worker_report')
    .where((eb) =>
      eb.or([
        eb('worker_guid', '=', workerGuid),
        eb('reported_on', '<', sql<Date>`now() - interval '1 day'`),
      ]),
    )
    .execute();
}

/** Whether a worker has reported within the last 15 s. */
export async function isWorkerAlive(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('worker_report')
    .select('worker_guid')
    .where('reported_on', '>', sql<Date>`now() - make_interval(secs => ${aliveSeconds})`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
