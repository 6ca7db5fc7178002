/** Joins calls that come in quick succession. */

/**
 * A function that calls `run` immediately and then at most once in this many milliseconds; calls in between share the
 * next run.
 */
export function throttle(milliseconds: number, run: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    const begin = (): void => {
      isWaiting = false;
      last = Date.now();
      run();
    };
    const wait = last + milliseconds - Date.now();
    if (wait <= 0) begin();
    else setTimeout(begin, wait);
  };
}
