/** The resources of the backups: those in the backup folder, and their schedule. */
import { resource } from './resource.ts';

const backupStates = [
  'waiting',
  'running',
  'verifying',
  'complete',
  'lossy',
  'unverified',
  'broken',
  'failed',
  'gone',
] as const;

/** The hours of a day, such as `03:00`. */
const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

/** The backups in the folder of the installation. */
export const backups = resource({
  name: 'backups',
  path: '/api/admin/backups',
  role: 'operator',
  title: 'fileName',
  fields: {
    fileName: { kind: 'text', edit: 'never', required: true },
    /**
     * `lossy`: complete, but files were missing or had changed when it was made; `unverified`: complete, but not read again since it
     * was written; `gone`: no longer in the folder.
     */
    backupState: { kind: 'choice', edit: 'never', required: true, options: backupStates },
    createdOn: { kind: 'time', edit: 'never', required: true },
    /** Null: there is no file yet, or no longer. */
    sizeBytes: { kind: 'bytes', edit: 'never' },
    origin: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: ['page', 'schedule', 'other'],
    },
    /** The operator who requested it. */
    who: { kind: 'text', edit: 'never' },
    /** Of the files that it contains, those that are copied so far. */
    copiedPercent: { kind: 'number', edit: 'never' },
    verifiedOn: { kind: 'time', edit: 'never' },
    /** Files that were missing, or had changed, when it was made. */
    missing: { kind: 'number', edit: 'never' },
    damaged: { kind: 'number', edit: 'never' },
    /** Whether it contains the secret that opens all keys; null: not known. */
    keys: { kind: 'choice', edit: 'never', options: ['included', 'not-included'] },
    /** The next backup removes it. */
    leaving: { kind: 'switch', edit: 'never' },
    error: { kind: 'text', edit: 'never' },
    /** The command, for after Recodery was stopped. */
    restoreCommand: { kind: 'text', edit: 'never', required: true, isApart: true },
  },
  columns: [
    'fileName',
    'backupState',
    // beside the state, so that narrow windows show it too
    'leaving',
    'createdOn',
    'sizeBytes',
    'origin',
    'copiedPercent',
  ],
  search: ['fileName', 'who', 'error'],
  sort: '-createdOn',
  can: { remove: true },
  /** `verify` reads the file again, in the background. */
  actions: ['verify'],
  /** A backup contains every key and file, and what is removed cannot be restored. */
  confirmedActions: ['download', 'remove'],
  offered: { verify: { field: 'backupState', is: ['complete', 'lossy', 'unverified', 'broken'] } },
  /** `create` requests a backup, which a portal makes in the background. */
  tasks: ['create'],
  changing: { field: 'backupState', is: ['waiting', 'running', 'verifying'] },
  download: { field: 'backupState', is: ['complete', 'lossy', 'unverified', 'broken'] },
});

/** When backups are made: one record. */
export const backupSchedule = resource({
  name: 'backupSchedule',
  path: '/api/admin/backup-schedule',
  role: 'operator',
  title: 'folder',
  fields: {
    /** The hour of each day in UTC; null: off. */
    hour: { kind: 'choice', edit: 'always', options: hours },
    /** Null: all. Only backups that portals have made are removed. */
    kept: { kind: 'number', edit: 'always' },
    nextOn: { kind: 'time', edit: 'never' },
    /** A setting of the environment; null: not set. */
    folder: { kind: 'text', edit: 'never' },
    /** Why the folder cannot be used. */
    error: { kind: 'text', edit: 'never' },
    /** Whether the backups contain the secret that opens all keys. */
    keys: { kind: 'choice', edit: 'never', required: true, options: ['included', 'not-included'] },
  },
  columns: ['hour', 'kept', 'nextOn'],
  search: [],
  sort: 'hour',
  can: { update: true },
  actions: [],
});
