/** What a folder contains, and which of its files are complete: a file that still grows is left alone. */
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Recognised, recogniseStart, recognisedBytes } from '@recodery/contract/recognise';

/** Milliseconds for which a file must not have changed. */
export const quietMs = 2000;

interface Seen {
  readonly version: string;
  /** When this version was first seen. */
  readonly since: number;
}

/** The files of a folder at one time. */
export interface Listing {
  readonly names: ReadonlySet<string>;
  /** The complete files, and a text that differs when a file has changed. */
  readonly versions: ReadonlyMap<string, string>;
}

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
    for (const name of (await readdir(this.#folder)).toSorted()) {
      const version = name.startsWith('.') ? null : await this.#readVersion(name);
      if (version === null) continue;
      names.add(name);
      const seen = this.#seen.get(name);
      if (seen?.version !== version) this.#seen.set(name, { version, since: now });
      else if (now - seen.since >= quietMs) versions.set(name, version);
    }
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
    return { names, versions };
  }

  /** null when it is no file, or has just been deleted. */
  async #readVersion(name: string): Promise<string | null> {
    const found = await stat(join(this.#folder, name)).catch(() => null);
    return found?.isFile() === true ? `${found.size} ${found.mtimeMs}` : null;
  }
}

/** What a file appears to be, by its first bytes. */
export async function recogniseFile(path: string): Promise<Recognised> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(recognisedBytes), { position: 0 });
    return recogniseStart(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
