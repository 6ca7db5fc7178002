/** Compares a file on the user's computer with the fingerprints of a slot, without uploading it. */
import {
  BlockSums,
  blockBytesOf,
  likenessOf,
  type PartFingerprint,
} from '@recodery/contract/fingerprints';
import type { PartName } from '../../decoded-read.ts';
import { acceptsSize } from './place-rules.ts';

/** Bytes that are read at once. */
const pieceBytes = 2 ** 20;
/** A file of a part that may grow is read up to this many times the size of the image that it is compared with. */
const mostGrowth = 4;

async function sumsOf(file: Blob, blockBytes: number, signal: AbortSignal): Promise<number[]> {
  const sums = new BlockSums(blockBytes);
  for (let at = 0; at < file.size; at += pieceBytes) {
    signal.throwIfAborted();
    sums.add(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer()));
  }
  return sums.end();
}

/**
 * The parts whose size the file has, with its similarity to their images, 0 to 1; null if there is no image. Rejects
 * if the file cannot be read, and when `signal` aborts.
 */
export async function measureFile(
  file: Blob,
  parts: readonly PartFingerprint[],
  signal: AbortSignal,
): Promise<ReadonlyMap<PartName, number | null>> {
  const likeness = new Map<PartName, number | null>();
  const known = new Map<string, number[]>();
  for (const part of parts.filter((one) => acceptsSize(one, file.size))) {
    const { fingerprint } = part;
    if (fingerprint === null) {
      likeness.set(part.part, null);
      continue;
    }
    const { size, blockBytes } = fingerprint;
    const end = Math.min(file.size, size * mostGrowth);
    const key = `${blockBytes} ${end}`;
    const sums = known.get(key) ?? (await sumsOf(file.slice(0, end), blockBytes, signal));
    known.set(key, sums);
    likeness.set(part.part, likenessOf(sums, fingerprint.sums));
  }
  return likeness;
}

/** A text that is equal for two files only if their fingerprints are equal. */
export async function contentKey(file: Blob, signal: AbortSignal): Promise<string> {
  const sums = await sumsOf(file, blockBytesOf(file.size), signal);
  return `${file.size} ${sums.join(' ')}`;
}
