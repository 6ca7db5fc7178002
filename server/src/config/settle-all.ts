/** Several things done at once, none of which is still under way when the first failure is heard of. */

/**
 * Waits until all of `work` has settled, and gives their values in order.
 * @throws what the first in the list was rejected with, whichever failed first
 */
export async function settleAll<T extends readonly unknown[] | []>(work: T) {
  await Promise.allSettled(work);
  // all are settled: this takes them in the order of the list
  return Promise.all(work);
}
