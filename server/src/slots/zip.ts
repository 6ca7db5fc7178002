/** Packs stored files into one zip while it is sent: nothing is held in memory, and nothing is packed beforehand. */
import { PassThrough, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Storage } from '../storage/storage.ts';
import type { StoredFile } from './stored-files.ts';

/** A zip that is being made. */
export interface Packing {
  /** Bytes of the whole zip, known before the first is made. */
  readonly size: number;
  /** The zip's bytes. Whoever wants no more of them destroys it. */
  readonly stream: Readable;
}

/**
 * Packs files, in their order and under their names. They are stored as they are: firmware deflates badly and by one
 * core, and so the length can be told beforehand, by which a browser shows progress and sees a cut. The stream fails
 * when a file cannot be read, or is not as long as its row says.
 */
export function packFiles(storage: Pick<Storage, 'get'>, files: readonly StoredFile[]): Packing {
  const zip = new ZipFile();
  // What yazl writes to cannot be destroyed by its types; and its own stream knows nothing of a source that failed.
  const stream = new PassThrough();
  const fail = (error: Error): void => {
    stream.destroy(error);
  };
  let source: Readable | null = null;
  zip.once('error', fail);
  stream.once('close', () => source?.destroy());
  zip.outputStream.pipe(stream);
  for (const { name, size, createdOn, storageKey } of files) {
    zip.addReadStreamLazy(name, { compress: false, size, mtime: createdOn }, (give) => {
      storage.get(storageKey).then((opened) => {
        source = opened;
        opened.once('error', fail);
        if (stream.destroyed) opened.destroy();
        else give(null, opened);
      }, fail);
    });
  }
  return { size: end(zip), stream };
}

/** Says that nothing more comes, and gives the size of the whole. */
function end(zip: ZipFile): number {
  let size: unknown;
  // yazl gives the size at once where every file's is known; its types leave the argument out
  zip.end(undefined, (...told: unknown[]) => {
    size = told[0];
  });
  if (typeof size !== 'number' || size < 0) throw new Error('the size of a zip is not known');
  return size;
}
