/** How far the browser's clock is off: people's clocks are wrong by minutes or a day, the server's answers bear the right time. */

/** Milliseconds up to which a difference is the way of the answer, not the clock. */
const harmless = 60_000;
let skew = 0;

/** Takes the time from an answer's `Date` header; `now` is the browser's own. */
export function noteServerTime(date: string | null, now: number): void {
  const difference = Date.parse(date ?? '') - now;
  if (Number.isNaN(difference)) return;
  skew = Math.abs(difference) > harmless ? difference : 0;
}

/** The true time at the moment when the browser's clock shows `local` (milliseconds, as `Date.now()` gives them). */
export function trueTime(local: number): Date {
  return new Date(local + skew);
}
