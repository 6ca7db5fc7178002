/** Reports the progress of a long command at intervals. */

/** Milliseconds between two lines. */
const interval = 3000;

/** Forwards a text if enough time has passed since the last one, and drops it otherwise. */
export function throttleProgress<T extends readonly unknown[]>(
  say: (...words: T) => void,
): (...words: T) => void {
  let last = performance.now();
  return (...words) => {
    if (performance.now() - last < interval) return;
    last = performance.now();
    say(...words);
  };
}
