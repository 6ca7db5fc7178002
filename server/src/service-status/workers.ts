/** Owns the table worker_report: which workers are alive, and so whether an engine is available. */
import { sql } from 'kysely';
import { describeIsolation } from '../engine/built-in/isolation.ts';
import type { Isolation } from '../engine/built-in/sandbox-command.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { isRecent } from './portals.ts';

/** Records that a worker with that many engines is alive, and how they are isolated. */
export async function reportWorker(
  db: Db,
  workerGuid: string,
  engines: number,
  isolation: Isolation,
): Promise<void> {
  const values = {
    engines,
    isolation: describeIsolation(isolation),
    has_namespaces: isolation.namespaces !== null,
    is_sealed: isolation.isSealed,
  };
  await db
    .insertInto('worker_report')
    .values({ worker_guid: workerGuid, ...values })
    .onConflict((conflict) =>
      conflict.column('worker_guid').doUpdateSet({ ...values, reported_on: sql<Date>`now()` }),
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
    .where(isRecent)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How the engines of running portals and workers are isolated. */
export interface RunningIsolation {
  readonly text: string;
  readonly hasNamespaces: boolean;
  /** Whether engines can start no other processes; versions until 0.9.0, which do not report it, require it. */
  readonly isSealed: boolean;
}

/** The isolations of all running portals and workers that report one, each once, the weakest first. */
export async function listRunningIsolations(db: Db): Promise<readonly RunningIsolation[]> {
  const { rows } = await sql<RunningIsolation>`
    select isolation as "text", has_namespaces as "hasNamespaces", coalesce(is_sealed, true) as "isSealed"
      from worker_report where ${isRecent} and isolation is not null
    union select isolation, has_namespaces, coalesce(is_sealed, true) from portal_report where ${isRecent}
    order by "hasNamespaces", "isSealed", "text"`.execute(db);
  return rows;
}
