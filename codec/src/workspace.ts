/** Memory that the operations of one process use in turn. */

/** Returns `size` bytes with undefined content. */
export type Allocate = (size: number) => Uint8Array;

/** Separate memory for every call, which lives as long as the data in it. */
export const allocateFresh: Allocate = (size) => Buffer.allocUnsafeSlow(size);

/** Memory that is kept and reused. */
export interface Workspace {
  readonly allocate: Allocate;
  /** Reclaims everything: memory that earlier operations received is overwritten from now on. */
  readonly reset: () => void;
  /**
   * Frees the memory of short-lived results, of which Node's ciphers return one for each segment: the collector would
   * wait until 64 MiB of them have gathered. Only in a process with `--expose-gc`.
   */
  readonly collect: () => void;
}

/** Reserved immediately; only pages that are used take memory, so reserving much costs nothing and leaves no gaps. */
const slabSize = 128 * 1024 * 1024;
/** Allocations are aligned to words and to the processor's cache lines. */
const alignment = 64;

/**
 * A workspace for a process that runs one operation at a time, and no longer needs a result when the next operation
 * starts. The first access to new memory takes about as long as decrypting into it, so the workspace keeps its memory:
 * as much as the largest operation so far has used.
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
    collect: () => globalThis.gc?.({ type: 'minor' }),
  };
}
