/** Reads two stored files side by side, in pieces of equal length. */
import { buffer } from 'node:stream/consumers';
import { inBatches } from '../storage/in-batches.ts';
import type { RecordedFile, VerifiedStorage } from '../storage/verified-storage.ts';

type Reads = Pick<VerifiedStorage, 'get'>;

/** A range of a stored file. @throws as `VerifiedStorage.get` */
export async function readRange(
  storage: Reads,
  file: RecordedFile,
  from: number,
  count: number,
): Promise<Uint8Array> {
  if (count === 0) return new Uint8Array();
  return buffer(await storage.get(file, { start: from, end: from + count - 1 }));
}

/**
 * The bytes that both files have, in pairs of pieces; process a pair before you request the next. Both files are read to
 * their ends: after the last pair, all bytes have been verified. @throws as `VerifiedStorage.get`
 */
export async function* readPairs(
  storage: Reads,
  one: RecordedFile,
  other: RecordedFile,
): AsyncGenerator<readonly [Uint8Array, Uint8Array]> {
  // each file is opened by its first piece, so that a file is closed also if the other cannot be opened
  async function* read(file: RecordedFile): AsyncGenerator<Uint8Array> {
    yield* inBatches(await storage.get(file));
  }
  const [before, after] = [read(one), read(other)];
  try {
    for (;;) {
      const [first, second] = await Promise.all([before.next(), after.next()]);
      if (first.done === true && second.done === true) return;
      if (first.done === true || second.done === true) continue;
      const count = Math.min(first.value.byteLength, second.value.byteLength);
      yield [first.value.subarray(0, count), second.value.subarray(0, count)];
    }
  } finally {
    await Promise.all([before.return(undefined), after.return(undefined)]);
  }
}
