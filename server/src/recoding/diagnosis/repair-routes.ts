/** Routes of the repairs: one for each family. */
import { families } from '@recodery/contract/families/registry';
import { repairRoutes } from '@recodery/contract/features/recoding/repairs';
import { tabHeader } from '@recodery/contract/headers';
import { readRequestHeader } from '../../http/file-transfer.ts';
import type { Router } from '../../http/serve.ts';
import { type ImageDependencies, useRepair } from '../images/image-uploads.ts';

/** Registers the calls that use a repair. */
export function serveRepairs(router: Router, deps: ImageDependencies): void {
  for (const family of families) {
    router.serve(repairRoutes[family], ({ caller, request, params, keep }) =>
      useRepair(
        deps,
        caller,
        {
          family,
          slotGuid: params.slotGUID,
          repairGuid: params.repairGUID,
          tab: readRequestHeader(request, tabHeader),
        },
        keep,
      ),
    );
  }
}
