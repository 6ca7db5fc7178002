/**
 * Unpacks a zip archive in the browser, within limits: what an archive declares about itself is checked while
 * unpacking.
 */
import {
  BlobReader,
  BlobWriter,
  configure,
  type DirectoryEntry,
  ERR_ENCRYPTED,
  type FileEntry,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-native.js';
import { ZipRefused } from './zip-refused.ts';

// the content policy allows no workers from blobs
configure({ useWebWorkers: false });

export interface ZipBounds {
  /** The maximum number of files that it may contain. */
  readonly files: number;
  /** The maximum total size of the unpacked files, in bytes. */
  readonly bytes: number;
}

/** Folders and hidden files, which file managers add, count up to this many. */
const mostEntries = 500;
/** Files that file managers add to archives. */
const clutter = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i;

const pathOf = ({ filename }: FileEntry | DirectoryEntry): string => filename.replaceAll('\\', '/');
const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

/** The files among the entries, as the archive declares them. */
async function listFiles(zip: ZipReader<unknown>, bounds: ZipBounds): Promise<FileEntry[]> {
  const files: FileEntry[] = [];
  let entries = 0;
  let bytes = 0;
  for await (const entry of zip.getEntriesGenerator()) {
    entries += 1;
    if (entries > mostEntries) throw new ZipRefused('zipFiles');
    if (entry.directory || clutter.test(pathOf(entry))) continue;
    if (entry.encrypted) throw new ZipRefused('zipEncrypted');
    files.push(entry);
    bytes += entry.uncompressedSize;
    if (files.length > bounds.files) throw new ZipRefused('zipFiles');
    if (bytes > bounds.bytes) throw new ZipRefused('zipBytes');
  }
  if (files.length === 0) throw new ZipRefused('zipEmpty');
  return files;
}

/** Unpacks an entry. Rejects if it has more or fewer bytes than it declares, or a different checksum. */
async function unpack(entry: FileEntry, signal: AbortSignal): Promise<File> {
  const bytes = await entry.getData(new BlobWriter(), { checkSignature: true, signal });
  return new File([bytes], nameOf(pathOf(entry)));
}

/** A file of an archive, and the fraction of the archive that is unpacked with it (0 to 1). */
export interface Unzipped {
  readonly file: File;
  readonly fraction: number;
}

/**
 * Unpacks the files in a zip archive one after the other, without folders and hidden files. Throws {@link ZipRefused} if
 * it is encrypted or damaged, or exceeds the limits.
 */
export async function* unzip(
  archive: Blob,
  bounds: ZipBounds,
  signal: AbortSignal,
): AsyncGenerator<Unzipped, void> {
  const zip = new ZipReader(new BlobReader(archive));
  try {
    const files = await listFiles(zip, bounds);
    for (const [at, entry] of files.entries())
      yield { file: await unpack(entry, signal), fraction: (at + 1) / files.length };
  } catch (thrown) {
    if (thrown instanceof ZipRefused || signal.aborted) throw thrown;
    const isLocked = thrown instanceof Error && thrown.message === ERR_ENCRYPTED;
    throw new ZipRefused(isLocked ? 'zipEncrypted' : 'zipBroken', thrown);
  } finally {
    await zip.close();
  }
}

/** Entries that are listed of an archive whose files are read one by one, at most. */
const mostListed = 1_000_000;

/** A zip archive whose files are read in any order. */
export interface ZipArchive {
  /** The bytes of a file; null: there is none, it is damaged, or it does not have `size` bytes. */
  read(path: string, size: number | { readonly most: number }): Promise<Blob | null>;
  close(): Promise<void>;
}

/** Opens a zip archive of any size. Only one file is unpacked at a time. Throws {@link ZipRefused} if it is damaged. */
export async function openZip(archive: Blob, signal: AbortSignal): Promise<ZipArchive> {
  const zip = new ZipReader(new BlobReader(archive));
  const entries = new Map<string, FileEntry>();
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      signal.throwIfAborted();
      if (entries.size >= mostListed) throw new ZipRefused('zipFiles');
      if (!entry.directory && !entry.encrypted) entries.set(entry.filename, entry);
    }
  } catch (thrown) {
    await zip.close();
    if (thrown instanceof ZipRefused || signal.aborted) throw thrown;
    throw new ZipRefused('zipBroken', thrown);
  }
  return {
    async read(path, size) {
      const entry = entries.get(path);
      const declared = entry?.uncompressedSize ?? -1;
      const fits = typeof size === 'number' ? declared === size : declared <= size.most;
      if (entry === undefined || !fits) return null;
      const bytes = await unpack(entry, signal).catch(() => null);
      signal.throwIfAborted();
      return bytes;
    },
    close: () => zip.close(),
  };
}

/** All files in a zip archive at once. Rejects as {@link unzip} throws. */
export async function unzipAll(
  archive: Blob,
  bounds: ZipBounds,
  signal: AbortSignal,
): Promise<File[]> {
  const files: File[] = [];
  for await (const { file } of unzip(archive, bounds, signal)) files.push(file);
  return files;
}
