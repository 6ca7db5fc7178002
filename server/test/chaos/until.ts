/** Waits for states, with a deadline that only a stuck system misses. */
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds after which something that has not happened never will, even on a very busy machine. */
const deadline = 600_000;
/** Milliseconds between two checks. */
const pause = 50;

/** Repeats `look` until it returns something other than null, and returns that. @throws after ten minutes */
export async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const end = performance.now() + deadline;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > end) throw new Error(`it never happened: ${what}`);
    await wait(pause);
  }
}
