/**
 * Fingerprints of a slot's images: a checksum of each of their blocks. A page compares them with a file on the user's
 * computer, to find the part that the file belongs to before anything is uploaded.
 */
import * as z from 'zod/mini';
import { json, route } from './api.ts';
import { wrongSize } from './features/operations.ts';

/** The maximum number of blocks of an image, and the minimum size of a block in bytes. */
const mostBlocks = 2048;
const leastBlockBytes = 16;

/** Greater than any checksum of a block: a block that repeats one byte has this number plus that byte. */
export const blankFrom = 0xff00;

/** The size of the blocks of an image of `size` bytes; the last block may be shorter. */
export function blockBytesOf(size: number): number {
  return Math.max(leastBlockBytes, Math.ceil(size / mostBlocks));
}

/** The start value and the factor of FNV-1a with 32 bits. */
const fnvStart = 0x811c9dc5;
const fnvFactor = 0x01000193;

/** Calculates the checksums of an image whose bytes arrive in pieces of any length. */
export class BlockSums {
  readonly #blockBytes: number;
  readonly #sums: number[] = [];
  #hash = fnvStart;
  #filled = 0;
  #first = 0;
  #isBlank = true;

  /** `blockBytes`: of {@link blockBytesOf}, for this image or for the one that it is compared with. */
  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes;
  }

  add(piece: Uint8Array): void {
    for (let from = 0; from < piece.length; ) {
      const end = Math.min(piece.length, from + this.#blockBytes - this.#filled);
      this.#addToBlock(piece, from, end);
      from = end;
      if (this.#filled === this.#blockBytes) this.#closeBlock();
    }
  }

  /** The checksums of all blocks, after the last piece. */
  end(): number[] {
    if (this.#filled > 0) this.#closeBlock();
    return this.#sums;
  }

  #addToBlock(piece: Uint8Array, from: number, end: number): void {
    let hash = this.#hash;
    let isBlank = this.#isBlank;
    const first = this.#filled === 0 ? (piece[from] ?? 0) : this.#first;
    for (let at = from; at < end; at += 1) {
      const byte = piece[at] ?? 0;
      hash = Math.imul(hash ^ byte, fnvFactor);
      if (byte !== first) isBlank = false;
    }
    this.#hash = hash;
    this.#isBlank = isBlank;
    this.#first = first;
    this.#filled += end - from;
  }

  #closeBlock(): void {
    const folded = (this.#hash >>> 16) ^ (this.#hash & 0xffff);
    this.#sums.push(this.#isBlank ? blankFrom + this.#first : folded % blankFrom);
    this.#hash = fnvStart;
    this.#filled = 0;
    this.#isBlank = true;
  }
}

/**
 * The share of equal blocks, 0 to 1; both must have the same block size. Blocks that are blank in both are not counted,
 * because they do not characterize an image; blocks that only one has count as different. Two blank images are equal.
 */
export function likenessOf(one: readonly number[], other: readonly number[]): number {
  let counted = 0;
  let equal = 0;
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const sum = one[at];
    const isEqual = sum === other[at];
    if (isEqual && sum !== undefined && sum >= blankFrom) continue;
    counted += 1;
    if (isEqual) equal += 1;
  }
  return counted === 0 ? 1 : equal / counted;
}

/** The fingerprint of an image. */
export const fingerprint = z.object({
  /** The image: decoded from the read, or the original file that was uploaded. */
  of: z.enum(['decoded', 'original']),
  /** Bytes of the image. */
  size: z.number(),
  /** Bytes of a block. */
  blockBytes: z.number(),
  /**
   * One checksum of each block: FNV-1a (32 bits), its halves combined by XOR, modulo 65280; 65280 + b if all bytes are
   * b.
   */
  sums: z.array(z.number()),
});
export type Fingerprint = z.infer<typeof fingerprint>;

/** The requirements for a file for a part of a slot. */
export const partFingerprint = z.object({
  /** `modified` or `original` for the one image of an OBD read, else the component's type. */
  part: z.string(),
  /** The allowed sizes in bytes; null: any. */
  sizes: z.nullable(wrongSize.shape.allowed),
  /** The image to compare a file with; null if the slot has none. */
  fingerprint: z.nullable(fingerprint),
});
export type PartFingerprint = z.infer<typeof partFingerprint>;

export const getFingerprints = route('GET', '/api/slots/{slotGUID}/fingerprints', {
  summary:
    'Returns the allowed sizes and a fingerprint of each part of a decoded slot, to find the part that a file belongs to.',
  access: 'portal',
  params: z.object({ slotGUID: z.string() }),
  answer: json(z.object({ parts: z.array(partFingerprint) })),
  refusals: [
    'API_ERROR_THROTTLING',
    'API_ERROR_UNAUTHORIZED',
    'NOT_FOUND',
    'OPERATION_NOT_POSSIBLE',
    'USER_NO_RIGHTS',
  ],
});
