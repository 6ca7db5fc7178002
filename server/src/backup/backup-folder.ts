/** The folder in which portals make backups: its files, and how they are read and removed. */
import { createReadStream } from 'node:fs';
import { access, constants, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A file of the folder. */
export interface FolderFile {
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  readonly modifiedOn: Date;
}

/** The name of a file that can be a backup: never a path. */
const fileForm = /^[^/\\\0]{1,200}\.tar$/;

/** The complete files whose names end in `.tar`. @throws when there is no such folder */
export async function listFolder(folder: string): Promise<readonly FolderFile[]> {
  const names = (await readdir(folder)).filter((name) => fileForm.test(name));
  const found = await Promise.all(
    names.map(async (fileName) => {
      const file = await stat(join(folder, fileName)).catch((error: NodeJS.ErrnoException) => {
        // removed since; a file that cannot be read now is there
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      return file?.isFile() === true ? [{ fileName, size: file.size, modifiedOn: file.mtime }] : [];
    }),
  );
  return found.flat();
}

/** A message if the folder cannot be used; null: it can. */
export async function findFolderFault(folder: string): Promise<string | null> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    return `The backup folder ${folder} (RECODERY_BACKUP_DIR) does not exist. Create it, or mount its disk.`;
  return access(folder, constants.W_OK).then(
    () => null,
    () => `The backup folder ${folder} (RECODERY_BACKUP_DIR) cannot be written to.`,
  );
}

/** The bytes of a file. */
export function readFolderFile(folder: string, { fileName, size }: FolderFile): Readable {
  // what was complete at the time of the list: the length is sent first
  return createReadStream(join(folder, fileName), { end: Math.max(0, size - 1) });
}

/** Removes a file, also what an interrupted backup has left of it. */
export async function removeFolderFile(folder: string, fileName: string): Promise<void> {
  if (!fileForm.test(fileName)) throw new Error(`${fileName} is not the name of a backup`);
  await rm(join(folder, fileName), { force: true });
}

/** Removes what portals have left of a backup. One that still writes it can then no longer complete it. */
export async function removeParts(folder: string, fileName: string): Promise<void> {
  const parts = (await readdir(folder)).filter(
    (name) => name.startsWith(`${fileName}.`) && name.endsWith('.part'),
  );
  await Promise.all(parts.map((name) => rm(join(folder, name), { force: true })));
}
