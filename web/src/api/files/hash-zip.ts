/** The hashes of the files in a zip archive; loaded with the first archive. */
import { hashFile, type HashOptions } from './file-hash.ts';
import { unzip } from './read-zip.ts';
import { ZipRefused } from './zip-refused.ts';

/** What the portal's own archives contain at most: the components of all reads of a tray. */
const bounds = { files: 400, bytes: 4 * 2 ** 30 };

/**
 * The SHA-256 of each file in an archive, each once; empty if the archive cannot be unpacked. Only one file is unpacked
 * at a time. @throws with the signal's reason
 */
export async function hashZip(
  archive: Blob,
  { signal = new AbortController().signal, onProgress }: HashOptions,
): Promise<string[]> {
  const hashes = new Set<string>();
  try {
    for await (const { file, fraction } of unzip(archive, bounds, signal)) {
      hashes.add(await hashFile(file, { signal }));
      onProgress?.(fraction);
    }
  } catch (thrown) {
    if (!(thrown instanceof ZipRefused)) throw thrown;
    return [];
  }
  return [...hashes];
}
