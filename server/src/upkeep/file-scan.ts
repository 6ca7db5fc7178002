/** The scan of all stored files as operators see it: they start it, and read its result. The workers do the reading. */
import type { Db } from '../postgres/tables/schema.ts';
import { countDamagedFiles, listDamagedFiles } from '../slots/files/damaged-files.ts';
import type { Judgment } from './finding.ts';
import { readPass, requestPass } from './verify-files.ts';

/** Damaged files that a result names. */
const mostNamed = 10;

async function describePass(db: Db): Promise<string> {
  const { isRunning, completedOn, verified, files } = await readPass(db);
  if (isRunning) return `A scan is running: ${verified} of ${files} files are verified.`;
  return completedOn === null
    ? 'A worker starts the scan within ten minutes, and reads at most 8 MiB a second.'
    : `The last scan ended on ${completedOn.toISOString()}. A worker scans all files every week.`;
}

/** How far the scan has come, and which files are damaged. */
async function describe(db: Db): Promise<Judgment> {
  const [pass, count, damaged] = [
    await describePass(db),
    await countDamagedFiles(db),
    await listDamagedFiles(db, mostNamed),
  ];
  if (count === 0) return ['ok', `${pass} No file is known to be damaged.`];
  const names = damaged.map(({ storageKey, damage }) => `${storageKey} (${damage})`).join(', ');
  const more = count > damaged.length ? ', …' : '';
  return [
    'wrong',
    `${pass} Damaged files: ${count}: ${names}${more}. Check the disk. Restore these files from a backup, or notify their owners.`,
  ];
}

/** Starts a scan, unless one is running. */
async function start(db: Db): Promise<Judgment> {
  await requestPass(db);
  return describe(db);
}

/** The scan of all stored files, for the pages and the command line. */
export const fileScan = { start, describe };
