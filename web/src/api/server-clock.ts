/**
 * The offset of the browser's clock: users' clocks can be wrong by minutes or a day, while the server's responses have
 * the correct time.
 */

/** Milliseconds up to which a difference is network delay, not clock error. */
const harmless = 60_000;
let skew = 0;

/** Reads the time from a response's `Date` header; `now` is the browser's own time. */
export function noteServerTime(date: string | null, now: number): void {
  const difference = Date.parse(date ?? '') - now;
  if (Number.isNaN(difference)) return;
  skew = Math.abs(difference) > harmless ? difference : 0;
}

/** The correct time when the browser's clock shows `local` (milliseconds, as returned by `Date.now()`). */
export function trueTime(local: number): Date {
  return new Date(local + skew);
}
