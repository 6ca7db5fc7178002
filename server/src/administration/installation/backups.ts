/** The backups of the installation and their schedule as resources of the administration. */
import type { FieldValue } from '@recodery/contract/admin/resource';
import { resources } from '@recodery/contract/admin/resources';
import { zeroGuid } from '@recodery/contract/api';
import { Refusal } from '@recodery/contract/refusal';
import type { Readable } from 'node:stream';
import type { Caller } from '../../organisations/caller.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { type KeptStore, readKept } from '../records/kept-records.ts';
import type { ActionOutcome, TaskResult } from '../records/records.ts';
import { refuseFields, type Values } from '../records/resource-store.ts';

/** What is known of a backup. */
export interface ListedBackup {
  readonly guid: string;
  readonly fileName: string;
  readonly state: string;
  readonly createdOn: Date;
  readonly size: number | null;
  readonly origin: string;
  readonly requestedBy: string | null;
  readonly copied: number;
  readonly files: number;
  readonly missing: number | null;
  readonly damaged: number | null;
  readonly hasSecret: boolean | null;
  readonly verifiedOn: Date | null;
  readonly isNextToGo: boolean;
  readonly error: string | null;
}

interface Schedule {
  readonly hour: number | null;
  readonly kept: number | null;
}

/** The file of a record, to be sent. */
export interface RecordFile {
  readonly fileName: string;
  readonly size: number;
  readonly content: () => Readable;
}

/** What the administration needs of the backups. */
export interface BackupDeps {
  readonly backups: {
    readonly folder: string | null;
    readonly includeSecret: boolean;
    readonly findFault: () => Promise<string | null>;
    readonly list: (db: Db) => Promise<readonly ListedBackup[]>;
    readonly request: (db: Db, by: string) => Promise<boolean>;
    readonly verify: (db: Db, fileName: string) => Promise<void>;
    readonly remove: (db: Db, fileName: string) => Promise<boolean>;
    readonly open: (db: Db, guid: string) => Promise<RecordFile | null>;
    readonly readSchedule: (db: Db) => Promise<Schedule & { readonly nextOn: Date | null }>;
    readonly saveSchedule: (db: Db, schedule: Schedule) => Promise<void>;
    readonly countNextRemoved: (db: Db, kept: number | null) => Promise<number>;
    readonly describeRestore: (fileName: string) => string;
  };
}

const keysOf = (isIncluded: boolean | null) =>
  isIncluded === null ? null : isIncluded ? 'included' : 'not-included';

function valuesOf(one: ListedBackup, { describeRestore }: BackupDeps['backups']): Values {
  const { copied, files } = one;
  return {
    fileName: one.fileName,
    backupState: one.state,
    createdOn: one.createdOn.toISOString(),
    sizeBytes: one.size,
    origin: one.origin,
    who: one.requestedBy,
    copiedPercent: one.state === 'running' && files > 0 ? Math.floor((copied / files) * 100) : null,
    verifiedOn: one.verifiedOn?.toISOString() ?? null,
    missing: one.missing,
    damaged: one.damaged,
    keys: keysOf(one.hasSecret),
    leaving: one.isNextToGo,
    error: one.error,
    restoreCommand: describeRestore(one.fileName),
  };
}

/** The backups; changes of all operators take turns. */
export function openBackups({ backups }: BackupDeps): KeptStore {
  return {
    declared: resources.backups,
    async read(db) {
      const all = await backups.list(db);
      return new Map(all.map((one) => [one.guid, valuesOf(one, backups)]));
    },
    async remove(trx, _guid, values) {
      const isGone = await backups.remove(trx, String(values['fileName']));
      return isGone ? {} : { fileName: 'IN_USE' };
    },
  };
}

/** Requests that a portal reads a backup again. @throws {Refusal} NOT_FOUND, FIELDS_NOT_ACCEPTED */
export async function verifyAgain(
  db: Db,
  { backups }: BackupDeps,
  guid: string,
): Promise<ActionOutcome> {
  const store = openBackups({ backups });
  const before = await readKept(db, store, guid);
  const { offered } = resources.backups;
  const isOffered = offered.verify.is.some((state) => state === before['backupState']);
  if (!isOffered) refuseFields({ fileName: 'IN_USE' });
  await backups.verify(db, String(before['fileName']));
  const item = await readKept(db, store, guid);
  return { item, link: null, changes: { file: item['fileName'] } };
}

/** Requests a backup. */
export async function createBackup(
  db: Db,
  { backups }: BackupDeps,
  caller: Caller,
): Promise<TaskResult> {
  if (caller.kind !== 'person') throw new Error('only operators, who are people, make backups');
  const fault = await backups.findFault();
  if (fault !== null) return { finding: { state: 'wrong', text: fault } };
  const isNew = await backups.request(db, caller.email);
  const text = isNew
    ? 'The backup starts within seconds. You can leave this page.'
    : 'Another backup is waiting or running. Wait until it is complete.';
  return { finding: { state: isNew ? 'ok' : 'warning', text } };
}

/** The file of a backup. @throws {Refusal} NOT_FOUND */
export async function openBackupFile(
  db: Db,
  { backups }: BackupDeps,
  guid: string,
): Promise<RecordFile> {
  const opened = await backups.open(db, guid);
  if (opened === null) throw new Refusal('NOT_FOUND');
  return opened;
}

const writeHour = (hour: number | null) =>
  hour === null ? null : `${String(hour).padStart(2, '0')}:00`;

/** The most backups that are kept. */
const mostKept = 1000;

/** The schedule of the backups, as one record. */
export function openBackupSchedule({ backups }: BackupDeps): KeptStore {
  const { folder, includeSecret } = backups;
  return {
    declared: resources.backupSchedule,
    async read(db) {
      const { hour, kept, nextOn } = await backups.readSchedule(db);
      const values = {
        ...{ hour: writeHour(hour), kept },
        // without a folder, this portal makes none
        nextOn: folder === null ? null : (nextOn?.toISOString() ?? null),
        ...{ folder, error: await backups.findFault(), keys: keysOf(includeSecret) },
      };
      return new Map([[zeroGuid, values]]);
    },
    findErrors({ hour, kept }) {
      const isWhole =
        typeof kept !== 'number' || (Number.isInteger(kept) && kept > 0 && kept <= mostKept);
      return {
        ...(hour !== null && hour !== undefined && folder === null ? { hour: 'NO_FOLDER' } : {}),
        ...(isWhole ? {} : { kept: 'INVALID' }),
      };
    },
    async admit(trx, { kept }, before, { confirm }) {
      const numberOf = (value: FieldValue | undefined) =>
        typeof value === 'number' ? value : null;
      const [wanted, present] = [numberOf(kept), numberOf(before['kept'])];
      if (wanted === null || (present !== null && wanted >= present)) return;
      const count = (of: number | null): Promise<number> =>
        backups.countNextRemoved(trx, of).catch(() => {
          // it can be mounted before the next backup, which then removes files that were not in the question
          throw new Refusal('FIELDS_NOT_ACCEPTED', { fields: { kept: 'NO_FOLDER' } });
        });
      const removed = await count(wanted);
      if (removed > (await count(present)) && confirm !== String(removed))
        throw new Refusal('FIELDS_NOT_ACCEPTED', {
          fields: { kept: 'REMOVES_NOT_CONFIRMED' },
          facts: { files: String(removed) },
        });
    },
    update: (trx, _guid, { hour, kept }) =>
      backups.saveSchedule(trx, {
        hour: typeof hour === 'string' ? Number(hour.slice(0, 2)) : null,
        kept: typeof kept === 'number' ? kept : null,
      }),
  };
}
