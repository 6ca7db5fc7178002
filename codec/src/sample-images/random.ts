/** A small seeded generator of pseudo-random numbers, so that a seed always gives the same image. Not for secrets. */

/** Numbers that are determined by a seed. */
export interface Random {
  /** 32 bits, as an integer from 0. */
  next(): number;
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  /** A number from `low` to below `high`. */
  between(low: number, high: number): number;
  /** An element of a list that is not empty. */
  pick<const C extends readonly [unknown, ...unknown[]]>(choices: C): C[number];
}

/** Mulberry32 (Tommy Ettinger, public domain): one word of state is enough for generated firmware images. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => Math.floor((next() / 0x100000000) * limit);
  return {
    next,
    below,
    between: (low, high) => low + (next() / 0x100000000) * (high - low),
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
  };
}

/** Combines several numbers into one seed, such as a protocol's id and the caller's seed. */
export function mixSeeds(...seeds: readonly number[]): number {
  return seeds.reduce((mixed, seed) => {
    const turned = Math.imul(mixed ^ seed, 0x9e3779b1);
    return (turned ^ (turned >>> 15)) >>> 0;
  }, 0x2545f491);
}
