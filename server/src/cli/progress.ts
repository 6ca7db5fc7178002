/** Tells how far a long command is, now and then. */

/** Milliseconds between two lines. */
const interval = 3000;

/** Passes on what comes after a while without a word; the rest is passed over. */
export function nowAndThen<T extends readonly unknown[]>(
  say: (...words: T) => void,
): (...words: T) => void {
  let last = performance.now();
  return (...words) => {
    if (performance.now() - last < interval) return;
    last = performance.now();
    say(...words);
  };
}
