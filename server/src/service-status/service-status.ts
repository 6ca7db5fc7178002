/** Whether the engine is available: a worker has reported recently, and maintenance is off. */
import type { ServiceStatus } from '@recodery/contract/features/service-status';
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import { isRecent } from './portals.ts';

/** The service status as calls and events return it. */
export async function readServiceStatus(db: Db): Promise<ServiceStatus> {
  const { rows } = await sql<{ isUp: boolean }>`
    select exists (select from worker_report where ${isRecent})
      and not maintenance_is_on() as "isUp"`.execute(db);
  const isUp = rows[0]?.isUp === true;
  return { statusCode: isUp ? 200 : 503 };
}
