/** Collects the pieces of a stream. */
import type { ByteStream } from './storage.ts';

/**
 * The same bytes in pieces of `batchBytes`; the last one can be shorter. All pieces share the same memory: process a
 * piece before you request the next. (New memory for each would make the garbage collector stop the whole process.)
 */
export async function* inBatches(
  stream: ByteStream,
  batchBytes: number,
): AsyncGenerator<Uint8Array> {
  const batch = new Uint8Array(batchBytes);
  let size = 0;
  for await (const piece of stream) {
    for (let at = 0; at < piece.byteLength; ) {
      const part = piece.subarray(at, at + batchBytes - size);
      batch.set(part, size);
      at += part.byteLength;
      size += part.byteLength;
      if (size < batchBytes) continue;
      yield batch;
      size = 0;
    }
  }
  if (size > 0) yield batch.subarray(0, size);
}
