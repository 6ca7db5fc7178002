/** One backup as a file: its name, the secret that belongs in it, and its verification. */
import type { Platform } from '../platform.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { findPresentSecret } from '../secrets/secrets.ts';
import { readManifest } from './archive.ts';
import { entryNames } from './backup-format.ts';
import { checkTar, openArchive, readTar } from './tar.ts';

/** The name of a backup that is made now. */
export function nameBackup(now: Date): string {
  return `recodery-${now.toISOString().replace(/\..*$/, '').replaceAll(':', '')}Z.tar`;
}

/**
 * The secret that Recodery generated and that opens the keys of a snapshot; null: the operator has set one, which backups
 * do not include.
 */
export async function readOwnSecret(
  { config, secretSource }: Pick<Platform, 'config' | 'secretSource'>,
  snapshot: Db,
): Promise<string | null> {
  if (config.secret !== null || config.secretFile !== null) return null;
  return findPresentSecret(snapshot, await secretSource.read());
}

/** What a verified file contains. */
export interface VerifiedBackup {
  readonly takenOn: Date;
  readonly hasSecret: boolean;
}

/**
 * Reads a whole backup, as a restore does before it changes anything. `onProgress` is called with the share that has been
 * read.
 * @throws {CannotStart} when a restore would refuse it
 */
export async function verifyBackup(
  path: string,
  onProgress?: (share: number) => void,
): Promise<VerifiedBackup> {
  const file = await openArchive(path);
  try {
    await checkTar(file, path, onProgress);
    const { takenOn } = await readManifest(file, path);
    let hasSecret = false;
    for await (const { name } of readTar(file, path)) {
      hasSecret = name === entryNames.secret;
      // the secret is next to the manifest, or there is none
      if (name !== entryNames.manifest) break;
    }
    return { takenOn: new Date(takenOn), hasSecret };
  } finally {
    await file.close();
  }
}
