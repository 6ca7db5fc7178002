/** Runs several things at once, and reports a failure only when none of them is still running. */

/**
 * Waits until all of `work` has settled, and returns their values in order.
 * @throws the rejection of the first in the list, regardless of which failed first
 */
export async function settleAll<T extends readonly unknown[] | []>(work: T) {
  await Promise.allSettled(work);
  // all have settled: this returns their values in order, or throws the first rejection in the list
  return Promise.all(work);
}
