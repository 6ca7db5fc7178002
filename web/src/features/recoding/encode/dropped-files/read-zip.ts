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

/**
 * The files in a zip archive, without folders and hidden files. Rejects with {@link ZipRefused} if it is encrypted or
 * damaged, or exceeds the limits.
 */
export async function readZip(
  archive: Blob,
  bounds: ZipBounds,
  signal: AbortSignal,
): Promise<File[]> {
  const zip = new ZipReader(new BlobReader(archive));
  try {
    const unpacked: File[] = [];
    for (const entry of await listFiles(zip, bounds)) unpacked.push(await unpack(entry, signal));
    return unpacked;
  } catch (thrown) {
    if (thrown instanceof ZipRefused || signal.aborted) throw thrown;
    const isLocked = thrown instanceof Error && thrown.message === ERR_ENCRYPTED;
    throw new ZipRefused(isLocked ? 'zipEncrypted' : 'zipBroken', thrown);
  } finally {
    await zip.close();
  }
}
