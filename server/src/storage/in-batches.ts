/** Collects the pieces of a stream, in memory that is used again. */
import type { FileHandle } from 'node:fs/promises';
import type { ByteStream } from './storage.ts';

/** Bytes that are collected for one write: each write is passed to another thread. Most reads need one or two. */
export const batchBytes = 1024 * 1024;

/** Memory that no stream uses now, for a few of the next ones. */
const spare: Uint8Array<ArrayBuffer>[] = [];
const mostSpare = 8;

/**
 * Lends memory of {@link batchBytes} until it is disposed of. (New memory for each stream would make the garbage
 * collector stop the whole process.)
 */
export function borrowBatch(): Disposable & { readonly memory: Uint8Array<ArrayBuffer> } {
  const memory = spare.pop() ?? new Uint8Array(batchBytes);
  return {
    memory,
    [Symbol.dispose]() {
      if (spare.length < mostSpare) spare.push(memory);
    },
  };
}

/**
 * The same bytes in pieces of {@link batchBytes}; the last one can be shorter. All pieces share the same memory: process
 * a piece before you request the next.
 */
export async function* inBatches(stream: ByteStream): AsyncGenerator<Uint8Array> {
  using batch = borrowBatch();
  const { memory } = batch;
  let size = 0;
  for await (const piece of stream) {
    for (let at = 0; at < piece.byteLength; ) {
      const part = piece.subarray(at, at + batchBytes - size);
      at += part.byteLength;
      // already a whole piece
      if (part.byteLength === batchBytes) {
        yield part;
        continue;
      }
      memory.set(part, size);
      size += part.byteLength;
      if (size < batchBytes) continue;
      yield memory;
      size = 0;
    }
  }
  if (size > 0) yield memory.subarray(0, size);
}

/** Appends all bytes to an open file. (`writeFile` splits them into pieces of half a batch.) */
export async function append(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength; )
    at += (await file.write(bytes, at, bytes.byteLength - at)).bytesWritten;
}
