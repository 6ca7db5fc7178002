/** Time zones by their names in the IANA database, such as `Europe/Rome`, for both sides. */

/** Maximum characters of a name. */
export const longestTimeZone = 64;

const clocks = new Map<string, Intl.DateTimeFormat>();
/** Formats that are kept: more than there are time zones, but names differ in case. */
const mostClocks = 1000;

/**
 * The format of the clocks in a time zone: `2026-12-02 06:56:30`. It is created once, because that takes a hundred times as
 * long as to use it.
 */
export function clockIn(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  if (clocks.size === mostClocks) clocks.clear();
  const clock = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  });
  clocks.set(timeZone, clock);
  return clock;
}

/** Whether times can be shown in the zone of that name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
