/** What a backup can contain. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../config/config.ts';

/** Whether database and files are those of the data folder, so that a backup can contain them completely. */
export function isEmbedded(
  config: Pick<Config, 'databaseUrl' | 'storageUrl' | 'dataDir'>,
): boolean {
  const own = pathToFileURL(join(config.dataDir, 'files')).href;
  return config.databaseUrl === null && config.storageUrl === own;
}
