/** Connects the overview of operators with the checks of `recodery doctor` and the storage. */
import type { KeyDeps } from './administration/installation/keys.ts';
import { serveOverview } from './administration/installation/overview-routes.ts';
import type { Router } from './http/serve.ts';
import type { Platform } from './platform.ts';
import { countDamagedFiles } from './slots/files/damaged-files.ts';
import type { OpenStorage } from './storage/open-storage.ts';
import { examine } from './upkeep/doctor.ts';
import {
  listKeyKinds,
  renewableKeys,
  renewKeys,
  replaceableKeys,
  replaceKeys,
  rotateSecret,
} from './upkeep/installation-keys.ts';

/** What operators can do with the keys: the same as `recodery secret`. */
export function describeKeys({ db, secrets, secretSource }: Platform): KeyDeps['keys'] {
  return {
    list: listKeyKinds,
    renewable: renewableKeys,
    replaceable: replaceableKeys,
    renew: (purposes) => renewKeys(secrets, purposes),
    replace: (purposes) => replaceKeys(secrets, purposes),
    rotate: () => rotateSecret({ db, secretSource }),
  };
}

/** Registers the routes that show the whole installation. */
export function serveInstallation(router: Router, platform: Platform, store: OpenStorage): void {
  const { config, db, log } = platform;
  serveOverview(router, {
    ...platform,
    measureDisks: store.measureDisks,
    countDamaged: countDamagedFiles,
    examine: () => examine({ config, log, db }),
  });
}
