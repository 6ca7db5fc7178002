/** Connects the overview of operators with the checks of `recodery doctor` and the storage. */
import { serveOverview } from './administration/installation/overview-routes.ts';
import type { Router } from './http/serve.ts';
import type { Platform } from './platform.ts';
import { countDamagedFiles } from './slots/files/damaged-files.ts';
import type { OpenStorage } from './storage/open-storage.ts';
import { examine } from './upkeep/doctor.ts';

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
