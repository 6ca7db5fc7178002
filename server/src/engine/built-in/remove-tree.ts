/** Deletes a folder that an engine has filled. Its process must have ended. */
import { readdirSync, rmdirSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Deletes a folder with everything in it, following no links. Folders in each other can make paths that are longer than
 * the system allows: each is moved to the top before it is opened.
 */
export async function removeTree(folder: string): Promise<void> {
  const isGone = await rm(folder, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
  if (isGone) return;
  const top = `${folder}.removed`;
  await mkdir(top, { recursive: true, mode: 0o700 });
  // from a removal that was interrupted
  const waiting = (await readdir(top)).map((name) => join(top, name));
  let moved = 0;
  const move = async (path: string): Promise<void> => {
    // an engine can have taken all rights from it
    await chmod(path, 0o700);
    moved += 1;
    const place = join(top, `${Date.now()}-${moved}`);
    await rename(path, place);
    waiting.push(place);
  };
  await move(folder);
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    for (const entry of await readdir(place, { withFileTypes: true })) {
      const path = join(place, entry.name);
      await (entry.isDirectory() ? move(path) : unlink(path));
    }
    await rmdir(place);
  }
  await rmdir(top);
}

/**
 * Deletes a folder that only we have filled, with few files. Only the files are deleted in another thread, because that
 * takes long for large ones: for the rest, waiting for it takes several times as long.
 */
export async function removeOwnFolder(folder: string): Promise<void> {
  try {
    await Promise.all(readdirSync(folder).map((name) => unlink(join(folder, name))));
    rmdirSync(folder);
  } catch {
    await removeTree(folder);
  }
}
