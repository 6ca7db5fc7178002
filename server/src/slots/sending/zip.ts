/** Packs stored files into a zip while it is sent: nothing is kept in memory or packed in advance. */
import { PassThrough, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { VerifiedStorage } from '../../storage/verified-storage.ts';
import type { StoredFile } from '../files/stored-files.ts';

/** A zip that is being created. */
export interface Packing {
  /** Bytes of the whole zip, known before streaming starts. */
  readonly size: number;
  /** The zip's bytes. A consumer that stops reading must destroy it. */
  readonly stream: Readable;
}

/** A text that a zip contains besides its files. */
export interface PackedText {
  readonly name: string;
  readonly text: string;
}

/**
 * Packs files under their names, in order. They are stored uncompressed: firmware compresses poorly and only on a
 * single core, and this way the length is known in advance, so that browsers show progress and detect a truncated
 * download. The stream fails when a file cannot be read, or its length differs from its row.
 */
export function packFiles(
  storage: Pick<VerifiedStorage, 'get'>,
  files: readonly StoredFile[],
  texts: readonly PackedText[] = [],
): Packing {
  const zip = new ZipFile();
  // The types of yazl's output stream do not allow destroying it, and its own stream ignores a failed source.
  const stream = new PassThrough();
  const fail = (error: Error): void => {
    stream.destroy(error);
  };
  let source: Readable | null = null;
  zip.once('error', fail);
  stream.once('close', () => source?.destroy());
  zip.outputStream.pipe(stream);
  for (const file of files) {
    const { name, size, createdOn } = file;
    zip.addReadStreamLazy(name, { compress: false, size, mtime: createdOn }, (give) => {
      storage.get(file).then((opened) => {
        source = opened;
        opened.once('error', fail);
        if (stream.destroyed) opened.destroy();
        else give(null, opened);
      }, fail);
    });
  }
  for (const { name, text } of texts)
    zip.addBuffer(Buffer.from(text, 'utf8'), name, { compress: false });
  return { size: end(zip), stream };
}

/** Marks the zip as complete, and returns its total size. */
function end(zip: ZipFile): number {
  let size: unknown;
  // yazl returns the size at once when every file's size is known; its types omit the argument
  zip.end(undefined, (...answers: unknown[]) => {
    size = answers[0];
  });
  if (typeof size !== 'number' || size < 0) throw new Error('the size of a zip is not known');
  return size;
}
