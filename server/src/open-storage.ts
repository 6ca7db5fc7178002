/** Opens the storage that the configuration names. */
import { fileURLToPath } from 'node:url';
import { CannotStart } from './platform/cannot-start.ts';
import type { Config } from './platform/config.ts';
import { freeDiskShare, openFileStorage } from './platform/storage-files.ts';
import type { Storage } from './platform/storage.ts';

/** The storage, and how much room it has. */
export interface OpenStorage {
  readonly storage: Storage;
  /** The free share of the disk that the files lie on, 0..1. */
  freeShare(): Promise<number>;
}

/** Opens the storage of a `file:` URL. @throws {CannotStart} for any other */
export async function openStorage(config: Pick<Config, 'storageUrl'>): Promise<OpenStorage> {
  const { storageUrl } = config;
  if (!storageUrl.startsWith('file:')) {
    throw new CannotStart('RECODERY_STORAGE_URL names an object store, which is not built in yet.');
  }
  const folder = fileURLToPath(storageUrl);
  return { storage: await openFileStorage(folder), freeShare: () => freeDiskShare(folder) };
}
