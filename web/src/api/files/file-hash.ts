/**
 * The SHA-256 of a file, without uploading it. Browsers offer their own only over HTTPS, and only for a whole file in
 * memory.
 */
import { sha256 } from '@noble/hashes/sha2.js';

/** Bytes that are read at once. */
const chunkBytes = 4 * 1024 * 1024;

export interface HashOptions {
  /** Called with the fraction read so far (0 to 1), until the end is reached. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** The SHA-256 as 64 hexadecimal digits. @throws when the file cannot be read, or with the signal's reason */
export async function hashFile(
  file: Pick<Blob, 'size' | 'slice'>,
  { onProgress, signal }: HashOptions = {},
): Promise<string> {
  const hash = sha256.create();
  for (let at = 0; at < file.size; at += chunkBytes) {
    if (at > 0) onProgress?.(at / file.size);
    const chunk = await file.slice(at, at + chunkBytes).arrayBuffer();
    signal?.throwIfAborted();
    hash.update(new Uint8Array(chunk));
  }
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
