/** Time zones by their names in the IANA database, such as `Europe/Rome`, for both sides. */

/** Maximum characters of a name. */
export const longestTimeZone = 64;

/** Whether times can be shown in the zone of that name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
