/** The address of a job's page in the app. */

/** The path of the page of a job; a slot and its job have the same GUID. */
export function jobPath(slotGUID: string): string {
  return `/jobs/${slotGUID}`;
}
