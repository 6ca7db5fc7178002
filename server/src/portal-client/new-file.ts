/** Writes files into a folder that others use: completely or not at all, and never overwriting an existing file. */
import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cutToFit } from '@recodery/contract/file-names';
import { placeNew } from '../config/folders.ts';
import { readPlainFile } from './folder.ts';
import { hashOf } from '../encoding-api-client/records.ts';

const draftForm = /^\.recodery-(\d+)-[0-9a-f]{8}\.tmp$/;

/** Deletes what a process that was killed has left unfinished in a folder. */
export async function deleteDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(draftForm.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(pid) && !isRunning(pid)) await rm(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function withDraft<T>(
  folder: string,
  data: Uint8Array | string,
  place: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = join(folder, `.recodery-${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  try {
    await writeFile(draft, data, { flag: 'wx', flush: true });
    return await place(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Writes a file of ours, replacing its earlier version. */
export async function replaceFile(folder: string, name: string, data: string): Promise<void> {
  await withDraft(folder, data, (draft) => rename(draft, join(folder, name)));
}

/**
 * Writes a new file, under the name or its stem with the first free number (`read-2.bin`), and returns the name used.
 * An existing file with the same content is used as it is: an interrupted run has written it. `extension` is the end of
 * the name, with its dot.
 */
export async function writeNewFile(
  folder: string,
  { name, extension }: { readonly name: string; readonly extension: string },
  data: Uint8Array,
): Promise<string> {
  const stem = name.slice(0, name.length - extension.length);
  return withDraft(folder, data, async (draft) => {
    for (let count = 1; ; count += 1) {
      const free = count === 1 ? name : cutToFit(stem, `-${count}${extension}`);
      const path = join(folder, free);
      if (await placeNew(draft, path)) return free;
      if (await isSame(path, data)) return free;
    }
  });
}

async function isSame(path: string, data: Uint8Array): Promise<boolean> {
  const present = await readPlainFile(path).catch(() => null);
  return present !== null && hashOf(present) === hashOf(data);
}
