/** Shared texts and checks of backup, restore and doctor. */
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

/** A number of bytes for people, such as `3.4 MiB`. */
export function describeBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${units[power]}`;
}
