/** Owns the table misfit: uploads that do not fit their read, why, and the repair that is offered for an hour. */
import type { ComponentName } from '@recodery/contract/families/family';
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import type { UncheckedReason } from '@recodery/contract/features/recoding/preflight';
import { type Selectable, sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';

/** A file in the storage that no row of `stored_file` names. */
export interface KeptFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  readonly storageKey: string;
}

/** An upload that does not fit. */
export interface Misfit {
  /** Names the repair, if there is one. */
  readonly guid: string;
  readonly slotGuid: string;
  readonly role: 'modified' | 'original';
  readonly component: ComponentName;
  /** The upload if it was accepted. */
  readonly fileGuid: string | null;
  /** The upload if it was refused and can be repaired. */
  readonly upload: KeptFile | null;
  readonly kind: Diagnosis['kind'];
  readonly details: Diagnosis['details'];
  readonly repair: {
    readonly file: KeptFile;
    readonly component: ComponentName;
    readonly isLossless: boolean;
  } | null;
}

/** A misfit as it was recorded. */
export interface StoredMisfit extends Misfit {
  readonly createdOn: Date;
}

/** An accepted upload that hardly resembles its read, and why there is no explanation. */
export interface Unexplained extends Pick<Misfit, 'slotGuid' | 'role' | 'component'> {
  readonly fileGuid: string;
  readonly reason: Extract<UncheckedReason, 'not-certain' | 'engine-unavailable'>;
}

/** Records a file without an explanation. */
export async function insertUnexplained(
  trx: Db,
  organisationId: OrganisationId,
  { slotGuid, role, component, fileGuid, reason }: Unexplained,
): Promise<void> {
  await trx
    .insertInto('misfit')
    .values({
      guid: newGuid(),
      organisation_guid: organisationId,
      slot_guid: slotGuid,
      role,
      component,
      file_guid: fileGuid,
      reason,
      details: '{}',
      size: 0,
      expires_on: sql<Date>`now()`,
    })
    .execute();
}

/** Records a misfit. `trx` must lock the organisation's row if files are kept, and have made room for them. */
export async function insertMisfit(
  trx: Db,
  organisationId: OrganisationId,
  { guid, slotGuid, role, component, fileGuid, upload, kind, details, repair }: Misfit,
): Promise<void> {
  await trx
    .insertInto('misfit')
    .values({
      guid,
      organisation_guid: organisationId,
      slot_guid: slotGuid,
      role,
      component,
      file_guid: fileGuid,
      upload: upload && JSON.stringify(upload),
      kind,
      details: JSON.stringify(details),
      repair_component: repair?.component ?? null,
      is_lossless: repair?.isLossless ?? null,
      repair: repair && JSON.stringify(repair.file),
      size: (upload?.size ?? 0) + (repair?.file.size ?? 0),
      expires_on: sql<Date>`now() + interval '1 hour'`,
    })
    .execute();
}

function readRow(row: Selectable<Database['misfit']>, isOffered: boolean): StoredMisfit {
  // written by `insertMisfit`
  const file = isOffered ? (row.repair as KeptFile | null) : null;
  return {
    guid: row.guid,
    slotGuid: row.slot_guid,
    role: row.role,
    component: row.component,
    fileGuid: row.file_guid,
    upload: row.upload as KeptFile | null,
    kind: row.kind as Diagnosis['kind'],
    details: row.details as Diagnosis['details'],
    repair: file && {
      file,
      component: row.repair_component ?? row.component,
      isLossless: row.is_lossless ?? false,
    },
    createdOn: row.created_on,
  };
}

function readUnexplained(row: Selectable<Database['misfit']>): Unexplained {
  const { slot_guid: slotGuid, role, component, file_guid: fileGuid, reason } = row;
  // written by `insertUnexplained`
  return { slotGuid, role, component, fileGuid, reason } as Unexplained;
}

const isOffered = sql<boolean>`deleted_on is null and expires_on > now()`;

/** A misfit of a slot whose repair can still be used, or null. */
export async function findRepair(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
  guid: string,
): Promise<StoredMisfit | null> {
  const row = await db
    .selectFrom('misfit')
    .selectAll()
    .where('organisation_guid', '=', organisationId)
    .where('slot_guid', '=', slotGuid)
    .where('guid', '=', guid)
    .where('repair', 'is not', null)
    .where(isOffered)
    .executeTakeFirst();
  return row === undefined ? null : readRow(row, true);
}

/** The misfits among accepted files, explained or not. A repair that was used or has expired is absent. */
export async function listMisfits(
  db: Db,
  organisationId: OrganisationId,
  fileGuids: readonly string[],
): Promise<readonly (StoredMisfit | Unexplained)[]> {
  if (fileGuids.length === 0) return [];
  const rows = await db
    .selectFrom('misfit')
    .selectAll()
    .select(isOffered.as('isOffered'))
    .where('organisation_guid', '=', organisationId)
    .where(sql<boolean>`file_guid = any(${fileGuids}::uuid[])`)
    .execute();
  return rows.map(({ isOffered: offered, ...row }) =>
    row.kind === null ? readUnexplained(row) : readRow(row, offered),
  );
}

/** Records that a repair was used; false: someone else was faster. Rows of `stored_file` name its files from now on. */
export async function markUsed(
  trx: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<boolean> {
  const rows = await trx
    .updateTable('misfit')
    .set({ deleted_on: sql`now()` })
    .where('organisation_guid', '=', organisationId)
    .where('guid', '=', guid)
    .where(isOffered)
    .returning('guid')
    .execute();
  return rows.length === 1;
}

/** Gives up the files of expired misfits, at most `count`; returns how many. The bytes are swept as strays. */
export async function releaseExpiredMisfits(db: Db, count: number): Promise<number> {
  const { rows } = await sql`
    update misfit set deleted_on = now()
    where guid in (
      select guid from misfit where deleted_on is null and expires_on <= now()
      limit ${count} for update skip locked)
    returning guid`.execute(db);
  await sql`delete from misfit where file_guid is null and deleted_on < now() - interval '1 day'`.execute(
    db,
  );
  return rows.length;
}

/** A misfit as programs and pages receive it. */
export function describeMisfit({
  guid,
  kind,
  details,
  repair,
}: Omit<Misfit, 'slotGuid'>): Diagnosis {
  if (repair === null) return { kind, details, repair: null };
  const { name, size, sha256 } = repair.file;
  return { kind, details, repair: { guid, name, size, sha256, isLossless: repair.isLossless } };
}
