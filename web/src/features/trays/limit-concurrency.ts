/** Limits how many calls are in progress at once; the others wait in order. */

/** A function that calls `run` once fewer than `atOnce` others are in progress, and returns its result. */
export function limitConcurrency(atOnce: number): <T>(run: () => Promise<T>) => Promise<T> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await run();
    } finally {
      // the place passes to the next one
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
