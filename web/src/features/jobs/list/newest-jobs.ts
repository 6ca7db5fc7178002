/** Puts the newest jobs into a list that is shown, without requesting all of its pages again. */
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';

/**
 * The pages of a list, newest first, with `newest` as the first jobs: fewer than `pageSize` are the whole list. If more
 * jobs are new than `newest` contains, the older ones are left out: they are loaded again with the end of the list.
 */
export function withNewest(
  pages: readonly JobSummary[][],
  newest: JobSummary[],
  pageSize: number,
): JobSummary[][] {
  if (newest.length < pageSize) return [newest];
  const last = newest.at(-1)?.slotGUID;
  const at = pages.findIndex((page) => page.some(({ slotGUID }) => slotGUID === last));
  if (at === -1) return [newest];
  const page = pages[at] ?? [];
  const older = page.slice(page.findIndex(({ slotGUID }) => slotGUID === last) + 1);
  return [[...newest, ...older], ...pages.slice(at + 1)];
}
