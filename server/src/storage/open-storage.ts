/** Opens the storage that the configuration names. */
import { fileURLToPath } from 'node:url';
import { CannotStart } from '../config/cannot-start.ts';
import type { Config } from '../config/config.ts';
import { readS3Address } from '../config/s3-address.ts';
import { type Disk, hasRoom, type LeastFree, measureDisk } from './disk-room.ts';
import { openFileStorage } from './files.ts';
import { type Storage, StorageUnavailable } from './storage.ts';
import { type DamageRecord, type VerifiedStorage, verifyReads } from './verified-storage.ts';

/** The storage, and its free space. */
export interface OpenStorage {
  readonly storage: VerifiedStorage;
  /** The same without verification, for a backup, which also copies damaged files. */
  readonly unverified: Storage;
  /**
   * The disk with the files, and that of the data folder, where engines work on copies. An object store counts as
   * unlimited.
   */
  measureDisks(): Promise<readonly Disk[]>;
}

/** Whether more may be written to all disks of the storage. */
export async function hasDiskRoom(
  store: Pick<OpenStorage, 'measureDisks'>,
  { leastFree }: { readonly leastFree: LeastFree },
): Promise<boolean> {
  return (await store.measureDisks()).every((disk) => hasRoom(disk, leastFree));
}

/**
 * Opens the storage of a `file:` or `s3:` URL. `hasFiles` reports whether the database lists files: an empty folder is
 * then refused, because its file system is probably not mounted. Damaged files are reported to `record`. @throws {CannotStart} when it cannot be used
 */
export async function openStorage(
  config: Pick<Config, 'storageUrl' | 'dataDir'>,
  hasFiles: () => Promise<boolean> = async () => false,
  record?: DamageRecord,
): Promise<OpenStorage> {
  const { storageUrl, dataDir } = config;
  if (storageUrl.startsWith('file:')) {
    const folder = fileURLToPath(storageUrl);
    const unverified = await openFileStorage(folder, hasFiles);
    const measureDisks = () =>
      Promise.all([folder, dataDir].map(measureDisk)).catch((error: unknown) => {
        throw new StorageUnavailable(error);
      });
    return { storage: verifyReads(unverified, record), unverified, measureDisks };
  }
  const address = readS3Address(storageUrl);
  if (typeof address === 'string') throw new CannotStart(`RECODERY_STORAGE_URL ${address}.`);
  // Loaded here, so that only S3 users load the SDK.
  const { openS3Storage } = await import('./s3.ts');
  const unverified = await openS3Storage(address);
  const measureDisks = async () => [await measureDisk(dataDir)];
  return { storage: verifyReads(unverified, record), unverified, measureDisks };
}
