/** The backups of the folder as operators see them in the browser, with what is known of each. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Platform } from '../platform.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { nameBackup } from './backup-file.ts';
import {
  findFolderFault,
  type FolderFile,
  listFolder,
  readFolderFile,
  removeFolderFile,
} from './backup-folder.ts';
import {
  type BackupRun,
  type BackupSchedule,
  deleteRun,
  insertRun,
  listRuns,
  readSchedule,
  requestVerification,
  saveSchedule,
} from './backup-runs.ts';
import { countNextRemoved, lossesOf, listNextExcess } from './kept-backups.ts';

/**
 * The state of a backup. `lossy`: it is complete, but files were missing or had changed when it was made; `unverified`: the
 * file was not read again; `gone`: it is no longer in the folder.
 */
export type BackupState = BackupRun['status'] | 'lossy' | 'unverified' | 'gone';

/** A backup of the folder. */
export interface PortalBackup extends Omit<BackupRun, 'status' | 'requestedOn'> {
  /** Made of its name, so that all portals give it the same. */
  readonly guid: string;
  readonly state: BackupState;
  readonly createdOn: Date;
  /** Bytes; null: there is no file yet, or no longer. */
  readonly size: number | null;
  /** Whether the next backup removes it. */
  readonly isNextToGo: boolean;
}

/** A file to send. */
export interface OpenedBackup {
  readonly fileName: string;
  readonly size: number;
  readonly content: () => Readable;
}

/** The use cases of operators. */
export interface PortalBackups {
  readonly folder: string | null;
  /** Whether backups contain the secret that opens all keys. */
  readonly includeSecret: boolean;
  /** Why the folder cannot be used; null: it can. */
  findFault(): Promise<string | null>;
  list(db: Db): Promise<readonly PortalBackup[]>;
  /** Returns false if one is waiting or running. */
  request(db: Db, by: string): Promise<boolean>;
  verify(db: Db, fileName: string): Promise<void>;
  /** Returns false while a portal works on it. */
  remove(db: Db, fileName: string): Promise<boolean>;
  /** Null: there is no such file. */
  open(db: Db, guid: string): Promise<OpenedBackup | null>;
  readSchedule(db: Db): Promise<BackupSchedule>;
  saveSchedule: typeof saveSchedule;
  /**
   * How many files the next backup removes if this many are kept; null: all are kept.
   * @throws when the folder cannot be read
   */
  countNextRemoved(db: Db, kept: number | null): Promise<number>;
  /** The command that restores a backup; Recodery must be stopped first. */
  describeRestore(fileName: string): string;
}

/** What to do if there is no folder. */
export const noFolder =
  'There is no backup folder. Set RECODERY_BACKUP_DIR to an existing folder, best on another disk, and restart the portal.';

function guidOf(fileName: string): string {
  const hash = createHash('sha256').update(fileName).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A file of which nothing is known but that it exists. */
function unknownRun({ fileName, modifiedOn }: FolderFile): BackupRun {
  return {
    ...{ fileName, origin: 'other', requestedBy: null, requestedOn: modifiedOn },
    ...{ status: 'complete', copied: 0, files: 0, missing: null, damaged: null },
    ...{ hasSecret: null, verifiedOn: null, error: null },
  };
}

/** Only a file that was read again is called complete. */
function stateOf(run: BackupRun, file: FolderFile | undefined): BackupState {
  const { status, verifiedOn } = run;
  if (status !== 'complete' && status !== 'broken') return status;
  if (file === undefined) return 'gone';
  if (verifiedOn === null) return 'unverified';
  return status === 'complete' && lossesOf(run) > 0 ? 'lossy' : status;
}

async function list(folder: string | null, db: Db): Promise<readonly PortalBackup[]> {
  const files = folder === null ? [] : await listFolder(folder).catch(() => []);
  const byName = new Map(files.map((file) => [file.fileName, file]));
  const runs = await listRuns(db);
  const known = new Set(runs.map(({ fileName }) => fileName));
  const others = files.filter(({ fileName }) => !known.has(fileName)).map(unknownRun);
  const { kept } = await readSchedule(db);
  const excess = folder === null ? [] : await listNextExcess(db, folder, kept).catch(() => []);
  const leaving = new Set(excess);
  return [...runs, ...others].map(({ status, requestedOn, ...run }) => {
    const file = byName.get(run.fileName);
    return {
      ...run,
      guid: guidOf(run.fileName),
      state: stateOf({ ...run, status, requestedOn }, file),
      createdOn: run.origin === 'other' && file !== undefined ? file.modifiedOn : requestedOn,
      size: file?.size ?? null,
      isNextToGo: leaving.has(run.fileName),
    };
  });
}

/** The states in which there is a complete file. */
const readable: ReadonlySet<BackupState> = new Set(['complete', 'lossy', 'unverified', 'broken']);

async function open(folder: string | null, db: Db, guid: string): Promise<OpenedBackup | null> {
  const found = (await list(folder, db)).find((one) => one.guid === guid);
  if (folder === null || found === undefined) return null;
  const { fileName, size, createdOn: modifiedOn } = found;
  if (size === null || !readable.has(found.state)) return null;
  return { fileName, size, content: () => readFolderFile(folder, { fileName, size, modifiedOn }) };
}

/** A word of a command line. */
const quoted = (path: string): string =>
  /^[\w./:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

/** Opens the use cases for an installation. */
export function openPortalBackups({
  config,
  clock,
}: Pick<Platform, 'config' | 'clock'>): PortalBackups {
  const { backupDir: folder, databaseUrl, secret, secretFile } = config;
  return {
    folder,
    includeSecret: secret === null && secretFile === null,
    findFault: async () => (folder === null ? noFolder : findFolderFault(folder)),
    list: (db) => list(folder, db),
    request: (db, by) =>
      insertRun(db, { fileName: nameBackup(clock.now()), origin: 'page', requestedBy: by }),
    verify: requestVerification,
    async remove(db, fileName) {
      if (!(await deleteRun(db, fileName))) return false;
      if (folder !== null) await removeFolderFile(folder, fileName);
      return true;
    },
    open: (db, guid) => open(folder, db, guid),
    readSchedule,
    saveSchedule,
    countNextRemoved: async (db, kept) =>
      folder === null ? 0 : countNextRemoved(db, folder, kept),
    describeRestore(fileName) {
      const path = quoted(folder === null ? fileName : join(folder, fileName));
      // a database server is never overwritten
      const replace = databaseUrl === null ? ' --replace' : '';
      return `npx --no-install recodery restore ${path}${replace}`;
    },
  };
}
