/** Private folders and files, created so that a crash leaves either nothing or the whole. */
import { randomBytes } from 'node:crypto';
import { constants, link, mkdir, open, unlink, writeFile } from 'node:fs/promises';

/** Creates a folder with its parents; an existing one is left unchanged. `mode` is for a new one. */
export async function ensureFolder(path: string, mode: number): Promise<void> {
  await mkdir(path, { recursive: true, mode });
}

/**
 * Writes a file unless it exists: complete and synced, or not at all. Returns whether it was written. Of two concurrent
 * processes one writes, and both continue with the same file.
 */
export async function writeFileOnce(path: string, text: string, mode: number): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text, { flag: 'wx', mode, flush: true });
  const written = await link(draft, path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  await unlink(draft);
  return written;
}

/** Makes a folder's entries durable. Windows cannot open folders and needs no such call. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, constants.O_RDONLY);
  await folder.sync().finally(() => folder.close());
}
