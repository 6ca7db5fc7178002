/** Routes for sealing an encoded file again: the organisation's own, or one that is shared with it. */
import {
  getSealing,
  sealFile,
  type SealingState,
} from '@recodery/contract/features/recoding/file-sealing';
import type { Router } from '../../http/serve.ts';
import { downloaderOf, type FindFile, requireFile } from '../../slots/files/files-routes.ts';
import { readSealing } from '../../slots/files/deliveries.ts';
import { requestSealing, type SealDependencies } from './seal-again.ts';

export interface SealingRouteDependencies extends SealDependencies, FindFile {
  readonly db: SealDependencies['db'];
}

/** The words of a service are for the organisation that has the connection: they may reveal the vehicle. */
function showTo(isShared: boolean, state: SealingState): SealingState {
  return isShared ? { ...state, detail: null } : state;
}

/** Registers the routes of contract/file-sealing. */
export function serveSealings(router: Router, deps: SealingRouteDependencies): void {
  router.serve(getSealing, async ({ caller, params }) => {
    const { file, isShared } = await requireFile(deps, caller, params.fileGUID);
    return showTo(isShared, await readSealing(deps.db, file));
  });
  router.serve(sealFile, async ({ caller, params }) => {
    const { file, isShared } = await requireFile(deps, caller, params.fileGUID);
    return showTo(isShared, await requestSealing(deps, file, downloaderOf(caller, isShared)));
  });
}
