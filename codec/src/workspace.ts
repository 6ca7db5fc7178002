/** Memory that one process's operations use in turn. */

/** Gives `size` bytes whose content is undefined. */
export type Allocate = (size: number) => Uint8Array;

/** Memory of its own for every call, which lives as long as what it holds. */
export const allocateFresh: Allocate = (size) => Buffer.allocUnsafeSlow(size);

/** Memory that is kept and handed out again. */
export interface Workspace {
  readonly allocate: Allocate;
  /** Takes everything back: what earlier operations were given is overwritten from now on. */
  readonly reset: () => void;
}

/** Reserved at once; only what is touched takes memory, so reserving much costs nothing and leaves no gaps. */
const slabSize = 128 * 1024 * 1024;
/** What is given lies on words, and on lines of the processor's cache. */
const alignment = 64;

/**
 * A workspace for a process that does one operation after the other and is done with a result before the next begins.
 * The first touch of fresh memory costs about as much as deciphering into it, so it is kept: as much as the greediest
 * operation so far asked for at once.
 */
export function makeWorkspace(): Workspace {
  const slabs: { bytes: Uint8Array; used: number }[] = [];
  return {
    allocate: (size) => {
      let slab = slabs.find(({ bytes, used }) => used + size <= bytes.length);
      if (slab === undefined) {
        slab = { bytes: allocateFresh(Math.max(size, slabSize)), used: 0 };
        slabs.push(slab);
      }
      const given = slab.bytes.subarray(slab.used, slab.used + size);
      slab.used = Math.ceil((slab.used + size) / alignment) * alignment;
      return given;
    },
    reset: () => {
      for (const slab of slabs) {
        slab.used = 0;
      }
    },
  };
}
