/** Unpacks a zip archive in the browser, within bounds that no archive can exceed by what it declares of itself. */
import {
  BlobReader,
  configure,
  ERR_ENCRYPTED,
  type FileEntry,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-native.js';

// the content policy allows no workers from blobs
configure({ useWebWorkers: false });

export type ZipReason = 'zipEncrypted' | 'zipFiles' | 'zipBytes' | 'zipBroken' | 'zipEmpty';

/** The archive is not unpacked. */
export class ZipRefused extends Error {
  readonly reason: ZipReason;
  constructor(reason: ZipReason, cause?: unknown) {
    super(`the archive is not unpacked: ${reason}`, { cause });
    this.name = 'ZipRefused';
    this.reason = reason;
  }
}

export interface ZipBounds {
  /** The most files that it may contain. */
  readonly files: number;
  /** The most bytes of all of them together, unpacked. */
  readonly bytes: number;
}

/** Folders and hidden files, which file managers add, count up to this many. */
const mostEntries = 500;
/** Files that file managers add to archives. */
const clutter = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i;

const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

/** The files among the entries, as the archive declares them. */
async function listFiles(zip: ZipReader<unknown>, bounds: ZipBounds): Promise<FileEntry[]> {
  const files: FileEntry[] = [];
  let entries = 0;
  let bytes = 0;
  for await (const entry of zip.getEntriesGenerator()) {
    entries += 1;
    if (entries > mostEntries) throw new ZipRefused('zipFiles');
    const path = entry.filename.replaceAll('\\', '/');
    if (entry.directory || clutter.test(path)) continue;
    if (entry.encrypted) throw new ZipRefused('zipEncrypted');
    files.push(entry);
    bytes += entry.uncompressedSize;
    if (files.length > bounds.files) throw new ZipRefused('zipFiles');
    if (bytes > bounds.bytes) throw new ZipRefused('zipBytes');
  }
  if (files.length === 0) throw new ZipRefused('zipEmpty');
  return files;
}

/** Unpacks an entry; it may not have more bytes than `most`, whatever it declares. */
async function unpack(entry: FileEntry, most: number, signal: AbortSignal): Promise<File> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const writable = new WritableStream<Uint8Array>({
    write(piece) {
      size += piece.length;
      if (size > most) throw new ZipRefused('zipBytes');
      pieces.push(Uint8Array.from(piece));
    },
  });
  await entry.getData(writable, { checkSignature: true, signal });
  return new File(pieces, nameOf(entry.filename.replaceAll('\\', '/')));
}

/**
 * The files in a zip archive, without folders and hidden files. Rejects with {@link ZipRefused} if it is encrypted or
 * damaged, or exceeds the bounds.
 */
export async function readZip(
  archive: Blob,
  bounds: ZipBounds,
  signal: AbortSignal,
): Promise<File[]> {
  const zip = new ZipReader(new BlobReader(archive));
  try {
    const unpacked: File[] = [];
    let left = bounds.bytes;
    for (const entry of await listFiles(zip, bounds)) {
      const file = await unpack(entry, left, signal);
      left -= file.size;
      unpacked.push(file);
    }
    return unpacked;
  } catch (thrown) {
    if (thrown instanceof ZipRefused || signal.aborted) throw thrown;
    const isLocked = thrown instanceof Error && thrown.message === ERR_ENCRYPTED;
    throw new ZipRefused(isLocked ? 'zipEncrypted' : 'zipBroken', thrown);
  } finally {
    await zip.close();
  }
}
