/** Opens the storage of a portal or worker, which records the damaged files that it finds. */
import type { Config } from '../../config/config.ts';
import type { Log } from '../../config/log.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { type OpenStorage, openStorage } from '../../storage/open-storage.ts';
import { createDamageRecord } from './damaged-files.ts';
import { hasStoredFiles } from './stored-files.ts';

/** @throws as `openStorage` */
export function openStoredFiles(
  config: Config,
  use: { readonly db: Db; readonly log: Log },
): Promise<OpenStorage> {
  return openStorage(config, () => hasStoredFiles(use.db), createDamageRecord(use));
}
