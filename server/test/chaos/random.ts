/** Pseudorandom decisions that a seed reproduces. */
import { createCipheriv, createHash } from 'node:crypto';

export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  /** @throws if the list is empty */
  pick<T>(list: readonly T[]): T;
  bytes(count: number): Buffer;
}

/**
 * Opens a stream of decisions. Streams with different seeds are independent of each other, and of when they are used.
 */
export function openRandom(seed: string): Random {
  const key = createHash('sha256').update(seed).digest();
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  const bytes = (count: number): Buffer => cipher.update(Buffer.alloc(count));
  const below = (limit: number): number => bytes(6).readUIntBE(0, 6) % limit;
  return {
    below,
    bytes,
    pick: <T>(list: readonly T[]): T => {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error('there is nothing to pick');
      return picked;
    },
  };
}

/** The same elements in random order. */
export function shuffle<T>(random: Random, list: readonly T[]): readonly T[] {
  const keyed = list.map((one) => ({ one, at: random.below(2 ** 32) }));
  return keyed.toSorted((left, right) => left.at - right.at).map(({ one }) => one);
}
