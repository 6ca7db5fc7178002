/** The contents of a folder, and which of its files are complete: a file that is still growing is skipped. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Recognized, recognizeStart, recognizedBytes } from '@recodery/contract/recognize';

/** Milliseconds for which a file must not have changed. */
export const quietMs = 2000;

interface Seen {
  readonly version: string;
  /** When this version was first seen. */
  readonly since: number;
}

/** The files of a folder at one time. */
export interface Listing {
  /** The files, and everything else that has the name of a file, such as a link. */
  readonly names: ReadonlySet<string>;
  /** The complete files, and a text that differs when a file has changed. */
  readonly versions: ReadonlyMap<string, string>;
  /** Why a name is not used, as the end of a sentence. */
  readonly unusable: ReadonlyMap<string, string>;
}

const isLink = 'is a symbolic link, which is not followed. Replace it with the file.';
const hasBrokenName = 'has a name that is not valid UTF-8. Rename it.';

/** Watches the files of a folder for growth. */
export class FolderFiles {
  readonly #folder: string;
  readonly #seen = new Map<string, Seen>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Lists the files, without hidden ones. `now` is in milliseconds and only grows. */
  async list(now: number): Promise<Listing> {
    const names = new Set<string>();
    const versions = new Map<string, string>();
    const unusable = new Map<string, string>();
    for (const name of (await readdir(this.#folder)).toSorted()) {
      if (name.startsWith('.')) continue;
      // without following a link: it could lead out of the folder
      const found = await lstat(join(this.#folder, name)).catch(() => null);
      const problem = findProblem(name, found);
      if (problem !== null) unusable.set(name, problem);
      if (problem !== null || found?.isFile() === true) names.add(name);
      if (found?.isFile() !== true) continue;
      const version = `${found.size} ${found.mtimeMs}`;
      const seen = this.#seen.get(name);
      if (seen?.version !== version) this.#seen.set(name, { version, since: now });
      else if (now - seen.since >= quietMs) versions.set(name, version);
    }
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
    return { names, versions, unusable };
  }
}

/** `found` is null if nothing has that name, for example because it has just been deleted. */
function findProblem(name: string, found: Stats | null): string | null {
  if (found?.isSymbolicLink() === true) return isLink;
  return found === null && name.includes('\ufffd') ? hasBrokenName : null;
}

/** Opens a regular file; never follows a link. */
async function openPlainFile(path: string): Promise<FileHandle> {
  // both flags do not exist on Windows, where they count as 0; without the second, a pipe would block
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is not a regular file`);
}

/** The bytes of a regular file; never follows a link. */
export async function readPlainFile(path: string): Promise<Buffer> {
  const file = await openPlainFile(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** The apparent type of a file, by its first bytes. */
export async function recognizeFileAt(path: string): Promise<Recognized> {
  const file = await openPlainFile(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(recognizedBytes), { position: 0 });
    return recognizeStart(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
