/** Work that can wait until the browser has nothing else to do. */

/** Milliseconds to wait where the browser does not report when it is idle. */
const untilIdle = 3000;

/** Calls `act` at the first idle moment. Returns the function that cancels it. */
export function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, untilIdle);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(act);
  return () => cancelIdleCallback(request);
}
