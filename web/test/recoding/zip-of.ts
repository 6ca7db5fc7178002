/** Zip archives for tests, as a user's packer writes them. */
import { BlobWriter, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';

/** A file, or a folder without `bytes`. */
export interface ZipEntry {
  readonly path: string;
  readonly bytes?: Uint8Array;
  readonly password?: string;
}

export async function zipOf(...entries: readonly ZipEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipWriter(new BlobWriter());
  for (const { path, bytes, ...options } of entries) {
    await zip.add(path, bytes && new Uint8ArrayReader(Uint8Array.from(bytes)), {
      ...options,
      directory: bytes === undefined,
      useWebWorkers: false,
    });
  }
  return new Uint8Array(await (await zip.close()).arrayBuffer());
}
