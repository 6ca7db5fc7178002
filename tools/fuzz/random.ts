/** The random choices of a fuzz run: determined by its seed, so that a run can be repeated. */
import { type Random, seededRandom } from '@recodery/codec/sample-images/random';

export type { Random };

/** A sequence for one target of a run. */
export function randomFor(seed: number, name: string): Random {
  let mixed = seed >>> 0;
  for (const letter of name) mixed = Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return seededRandom(mixed);
}

/** An element of a list, or undefined if it is empty. */
export function pick<T>(random: Random, list: readonly T[]): T | undefined {
  return list[random.below(list.length)];
}
