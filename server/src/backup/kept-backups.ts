/** Which backups the portal removes after the next one. */
import type { Db } from '../postgres/tables/schema.ts';
import { listFolder } from './backup-folder.ts';
import { type BackupRun, deleteGoneRuns, listRuns } from './backup-runs.ts';

/** Files that were missing or had changed when a backup was made; 0 also if that is not known. */
export const lossesOf = ({ missing, damaged }: Pick<BackupRun, 'missing' | 'damaged'>): number =>
  (missing ?? 0) + (damaged ?? 0);

const isVerified = ({ status, verifiedOn }: BackupRun): boolean =>
  status === 'complete' && verifiedOn !== null;

/** Whether a backup is verified and is known to contain every file. */
const isWhole = (run: BackupRun): boolean =>
  isVerified(run) && run.missing === 0 && run.damaged === 0;

/** Whether the portal has made a backup: it removes no others. */
const isOwn = ({ origin, status }: BackupRun): boolean =>
  origin !== 'other' && (status === 'complete' || status === 'broken' || status === 'failed');

/**
 * The names of the backups that are too many if `kept` verified ones remain, of runs with the newest first. Failed ones
 * are too many once a newer one is verified. The newest one that contains every file always remains.
 */
function findExcess(runs: readonly BackupRun[], kept: number | null): readonly string[] {
  if (kept === null) return [];
  const own = runs.filter(isOwn);
  const spared = own.find(isWhole);
  return own.flatMap((run, at) => {
    const newer = own.slice(0, at).filter(isVerified).length;
    const most = run.status === 'complete' ? kept : 1;
    return newer >= most && run !== spared ? [run.fileName] : [];
  });
}

/** Those that count: what has no file any more must not displace what has one. */
async function listPresent(db: Db, folder: string): Promise<readonly BackupRun[]> {
  const files = new Set((await listFolder(folder)).map(({ fileName }) => fileName));
  const runs = await listRuns(db);
  return runs.filter(({ fileName, status }) => status === 'failed' || files.has(fileName));
}

/** The names of the backups that are too many now. @throws when the folder cannot be read */
export async function listExcess(
  db: Db,
  folder: string,
  kept: number | null,
): Promise<readonly string[]> {
  return findExcess(await listPresent(db, folder), kept);
}

/** The names of those that are too many after the next backup, if that contains every file. */
export async function listNextExcess(
  db: Db,
  folder: string,
  kept: number | null,
): Promise<readonly string[]> {
  const now = new Date();
  const next: BackupRun = {
    ...{ fileName: '', origin: 'schedule', requestedBy: null, requestedOn: now },
    ...{ status: 'complete', copied: 0, files: 0, missing: 0, damaged: 0 },
    ...{ hasSecret: null, verifiedOn: now, error: null },
  };
  return findExcess([next, ...(await listPresent(db, folder))], kept);
}

/** How many files the next backup removes, if it contains every file. @throws when the folder cannot be read */
export async function countNextRemoved(
  db: Db,
  folder: string,
  kept: number | null,
): Promise<number> {
  const files = new Set((await listFolder(folder)).map(({ fileName }) => fileName));
  const excess = await listNextExcess(db, folder, kept);
  return excess.filter((fileName) => files.has(fileName)).length;
}

/** Forgets old backups that have no file any more. @throws when the folder cannot be read */
export async function forgetGone(db: Db, folder: string): Promise<void> {
  const files = await listFolder(folder);
  await deleteGoneRuns(
    db,
    files.map(({ fileName }) => fileName),
  );
}
