/** The route that lists the master devices with their engines. */
import { listEngines } from '@recodery/contract/features/engines';
import type { Router } from '../../http/serve.ts';
import { listMasters } from '../../organisations/devices.ts';
import type { Db } from '../../postgres/tables/schema.ts';

/** Registers the route. */
export function serveEngines(router: Router, { db }: { readonly db: Db }): void {
  router.serve(listEngines, async ({ caller }) => {
    const masters = await listMasters(db, caller.organisationId);
    return masters.map(({ family, groupCode, serialNumber, engine }) => ({
      family,
      groupCode,
      masterDeviceSerialNumber: serialNumber,
      engine,
    }));
  });
}
