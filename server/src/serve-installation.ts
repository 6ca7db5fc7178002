/** Connects what operators see and do with the whole installation to the checks of `recodery doctor`, the storage, the backups and the keys. */
import type { KeyDeps } from './administration/installation/keys.ts';
import { serveOverview } from './administration/installation/overview-routes.ts';
import { openLibrary } from './recoding/originals/library-use-cases.ts';
import { openPortalBackups } from './backup/portal-backups.ts';
import { startBackups } from './backup/run-backups.ts';
import type { Router } from './http/serve.ts';
import type { Platform } from './platform.ts';
import { countDamagedFiles } from './slots/files/damaged-files.ts';
import type { OpenStorage } from './storage/open-storage.ts';
import { examine } from './upkeep/doctor.ts';
import { fileScan } from './upkeep/file-scan.ts';
import {
  listKeyKinds,
  renewableKeys,
  renewKeys,
  replaceableKeys,
  replaceKeys,
  rotateSecret,
} from './upkeep/installation-keys.ts';
import type { RunningRole } from './worker.ts';

/** What operators can do with the keys: the same as `recodery secret`. */
function describeKeys({ config, db, secrets, secretSource }: Platform): KeyDeps['keys'] {
  return {
    list: listKeyKinds,
    renewable: renewableKeys,
    replaceable: replaceableKeys,
    renew: (purposes) => renewKeys(secrets, purposes),
    replace: (purposes) => replaceKeys(secrets, purposes),
    // other machines can have copies of a file that operators provide, and need the new secret before the keys change
    rotate: async () =>
      config.secretFile === null ? rotateSecret({ db, secretSource }) : 'from-file',
  };
}

/** What the administration of the installation needs. */
export function installationDeps(platform: Platform, { storage }: OpenStorage) {
  return {
    storageRules: platform.config,
    fileScan,
    backups: openPortalBackups(platform),
    originals: openLibrary({ db: platform.db, storage }),
    keys: describeKeys(platform),
  };
}

/** Starts to make backups, if there is a folder for them. */
export function startMakingBackups(platform: Platform, store: OpenStorage): RunningRole {
  const { backupDir: folder } = platform.config;
  return folder === null
    ? { stop: async () => undefined }
    : startBackups({ ...platform, storage: store.unverified, folder });
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
