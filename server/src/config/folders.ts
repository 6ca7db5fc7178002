/** Private folders and files, created so that a crash leaves either nothing or the whole. */
import { randomBytes } from 'node:crypto';
import { constants, link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';

/** Creates a folder with its parents; an existing one is left unchanged. `mode` is for a new one. */
export async function ensureFolder(path: string, mode: number): Promise<void> {
  await mkdir(path, { recursive: true, mode });
}

/**
 * Writes a file unless it exists: complete and synced, or not at all. Returns whether it was written. Of two concurrent
 * processes one writes, and both continue with the same file.
 */
export async function writeFileOnce(
  path: string,
  data: Uint8Array | string,
  mode: number,
): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, data, { flag: 'wx', mode, flush: true });
    return await placeNew(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Gives a draft its name. False if the name is taken: nothing is ever overwritten. */
export async function placeNew(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    await rm(draft);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
  }
  // a file system without hard links: an empty file reserves the name
  try {
    await writeFile(path, '', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await rename(draft, path);
  return true;
}

/** Makes a folder's entries durable. Windows cannot open folders and needs no such call. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, constants.O_RDONLY);
  // nothing waits for the end of what was only opened to be synced
  await folder.sync().finally(() => void folder.close().catch(() => undefined));
}
