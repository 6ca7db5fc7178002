/** Whether the engine is available: a worker has reported recently, and maintenance is off. */
import type { ServiceStatus } from '@recodery/contract/features/service-status';
import type { Db } from '../postgres/tables/schema.ts';
import { isMaintenanceOn } from './maintenance.ts';
import { isWorkerAlive } from './workers.ts';

/** The service status as calls and events return it. */
export async function readServiceStatus(db: Db): Promise<ServiceStatus> {
  const isUp = (await isWorkerAlive(db)) && !(await isMaintenanceOn(db));
  return { statusCode: isUp ? 200 : 503 };
}
