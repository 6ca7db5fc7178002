/** Reads two stored files side by side, in pieces of equal length. */
import type { Storage } from '../storage/storage.ts';

/** Bytes of each file that are read at once. A piece is compared without a pause, so it must not be much longer. */
const pieceBytes = 512 * 1024;

/** A file of a pair: its place in the storage and its size in bytes. */
export interface PairedFile {
  readonly storageKey: string;
  readonly size: number;
}

/**
 * A range of a stored file. @throws {NothingStored}, and an error when the storage has fewer bytes than the row states
 */
export async function readRange(
  storage: Storage,
  { storageKey }: PairedFile,
  from: number,
  count: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(count);
  if (count === 0) return bytes;
  let filled = 0;
  for await (const piece of await storage.get(storageKey, { start: from, end: from + count - 1 })) {
    bytes.set(piece, filled);
    filled += piece.byteLength;
  }
  if (filled < count) throw new Error(`${storageKey} ends after ${from + filled} bytes`);
  return bytes;
}

/** The bytes that both files have, in pairs of pieces. The next pair is read while the caller processes one. */
export async function* readPairs(
  storage: Storage,
  one: PairedFile,
  other: PairedFile,
): AsyncGenerator<readonly [Uint8Array, Uint8Array]> {
  const end = Math.min(one.size, other.size);
  const read = async (from: number) => {
    const count = Math.min(pieceBytes, end - from);
    return Promise.all([
      readRange(storage, one, from, count),
      readRange(storage, other, from, count),
    ]);
  };
  let next = read(0);
  for (let from = 0; from < end; from += pieceBytes) {
    const pair = await next;
    const after = from + pieceBytes;
    next = read(Math.min(after, end));
    // a failure is thrown when the pair is awaited; if the caller has stopped by then, it is ignored
    next.catch(() => undefined);
    yield pair;
  }
}
