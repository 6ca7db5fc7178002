/** Memory that one process's operations use in turn. */

/** Gives `size` bytes whose content is undefined. */
export type Allocate = (size: number) => Uint8Array;

/** Memory of its own for every call, which lives as long as what it holds. */
export const allocateFresh: Allocate = (size) => Buffer.allocUnsafeSlow(size);

/** Blocks that are kept and handed out again. */
export interface Workspace {
  readonly allocate: Allocate;
  /** Takes everything back: what earlier operations were given is overwritten from now on. */
  reset(): void;
}

/**
 * A workspace for a process that does one operation after the other and is done with a result before the next begins.
 * The first touch of fresh memory costs about as much as deciphering into it, so the blocks are kept: at most as many
 * as one operation asked for, each as large as it ever had to be.
 */
export function makeWorkspace(): Workspace {
  const blocks: Uint8Array[] = [];
  let given = 0;
  return {
    allocate: (size) => {
      const kept = blocks[given];
      const block = kept !== undefined && kept.length >= size ? kept : allocateFresh(size);
      blocks[given] = block;
      given += 1;
      return block.subarray(0, size);
    },
    reset: () => {
      given = 0;
    },
  };
}
