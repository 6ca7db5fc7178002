/** The entries of a backup as a restore reads them: what it accepts, and the refusal of everything else. */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { CannotStart } from '../config/cannot-start.ts';
import { listMissingMigrations } from '../postgres/migrate.ts';
import {
  type Contents,
  contentsShape,
  entryNames,
  type Manifest,
  manifestShape,
} from './backup-format.ts';
import { readTar, type TarEntry } from './tar.ts';

/** A backup that was verified completely. */
export interface Archive {
  readonly file: FileHandle;
  readonly path: string;
  /** SHA-256 of all entries, as 64 hexadecimal digits: two backups never have the same. */
  readonly sha256: string;
  readonly manifest: Manifest;
}

/** Maximum bytes of an entry that is read into memory, also unpacked: a backup writes rows in parts of a few MiB. */
export const mostHeldBytes = 64 * 2 ** 20;

/** Refuses a backup that passed verification but is invalid: no real backup contains such an entry. */
export function refuseEntry(path: string, entry: string): never {
  const shown = JSON.stringify(entry.slice(0, 80));
  throw new CannotStart(`${path} is not a Recodery backup: its ${shown} is missing or invalid.`);
}

/** The first entry, which shows whether this version can read the others. */
export async function readManifest(file: FileHandle, path: string): Promise<Manifest> {
  for await (const entry of readTar(file, path)) {
    if (entry.name !== entryNames.manifest) break;
    const { data, error } = manifestShape.safeParse(await readJson(entry, path));
    if (error !== undefined) {
      throw new CannotStart(`${path} is not a backup that this version of Recodery can read.`);
    }
    await listMissingMigrations(data.migrations).catch(() => {
      throw new CannotStart(
        `${path} was created by Recodery ${data.version}, whose database schema is unknown to this version. Restore it with that version.`,
      );
    });
    return data;
  }
  throw new CannotStart(`${path} is not a Recodery backup.`);
}

/** The last entry. */
export async function readContents(entry: TarEntry, path: string): Promise<Contents> {
  const { data } = contentsShape.safeParse(await readJson(entry, path));
  return data ?? refuseEntry(path, entry.name);
}

/** Reads an entry into memory. */
export async function readAll(entry: TarEntry, path: string): Promise<Buffer> {
  if (entry.size > mostHeldBytes) refuseEntry(path, entry.name);
  const pieces: Uint8Array[] = [];
  for await (const piece of entry.content()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The entry's parsed content; undefined when it is not JSON. */
async function readJson(entry: TarEntry, path: string): Promise<unknown> {
  const bytes = await readAll(entry, path);
  return json(Readable.from(bytes)).catch(() => undefined);
}
