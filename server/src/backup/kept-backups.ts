/** Which backups the portal removes after the next one; pure. */
import type { BackupRun } from './backup-runs.ts';

/** Whether the portal made a backup, completely: it removes no others. */
const isOwn = ({ origin, status }: BackupRun): boolean =>
  origin !== 'other' && status === 'complete';

/** The names of the backups that are too many if `kept` remain, of runs with the newest first. */
export function findExcess(runs: readonly BackupRun[], kept: number | null): readonly string[] {
  if (kept === null) return [];
  return runs
    .filter(isOwn)
    .slice(kept)
    .map(({ fileName }) => fileName);
}
