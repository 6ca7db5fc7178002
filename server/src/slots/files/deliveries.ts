/**
 * The deliveries of an encoded file that expires: the file that the encode made, and those that were sealed later from the
 * same image.
 */
import type { ComponentName } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import { doFilesExpire, findSealEnd, isSealFresh } from '@recodery/contract/families/sealing';
import type { SealingState } from '@recodery/contract/features/recoding/file-sealing';
import { sql } from 'kysely';
import type { OrganisationId } from '../../organisations/caller.ts';
import { readNow } from '../../postgres/read-now.ts';
import { sealedFiles } from '../../postgres/sealed-files.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { isKnownDamaged } from './damaged-files.ts';
import { isThere, readFileRow, type StoredFile } from './stored-files.ts';

/** The file that the encode made, of any delivery of it. */
export function firstDeliveryOf({
  guid,
  firstDeliveryGuid,
}: Pick<StoredFile, 'guid' | 'firstDeliveryGuid'>): string {
  return firstDeliveryGuid ?? guid;
}

/** The newest delivery of the file that was encoded last, among files in the order in which they were recorded. */
export function findLatest(files: readonly StoredFile[]): StoredFile | undefined {
  const latest = files.map(firstDeliveryOf).toSorted().at(-1);
  return files.findLast((file) => firstDeliveryOf(file) === latest);
}

/** All files that a slot has or had. The bytes of those that are deleted cannot be read. */
export async function listFilesEver(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<readonly StoredFile[]> {
  const rows = await db
    .selectFrom('stored_file')
    .selectAll()
    .select(isKnownDamaged(sql.ref('stored_file.storage_key')).as('is_damaged'))
    .where('organisation_guid', '=', organisationId)
    .where('slot_guid', '=', slotGuid)
    .orderBy('guid')
    .execute();
  return rows.map(readFileRow);
}

/** A stored image that a maker's service was given. */
export interface PlainImage {
  readonly component: ComponentName;
  readonly fileGuid: string;
  /** Bytes. */
  readonly size: number;
}

const isUsable = sql<boolean>`(${isThere} and not ${isKnownDamaged(sql.ref('stored_file.storage_key'))})`;

/** The images that an encoded file was sealed from; none: not all of them are stored, and a part must never be sealed. */
export async function listPlainImages(
  db: Db,
  file: Pick<StoredFile, 'guid' | 'firstDeliveryGuid' | 'organisationId'>,
): Promise<readonly PlainImage[]> {
  const { rows } = await sql<PlainImage & { readonly isUsable: boolean }>`
    select component, guid as "fileGuid", size, ${isUsable} as "isUsable" from stored_file
    where organisation_guid = ${file.organisationId} and first_delivery_guid = ${firstDeliveryOf(file)}
      and role = 'plain'
    order by guid`.execute(db);
  return rows.every((row) => row.isUsable) ? rows : [];
}

/** The first deliveries of a slot whose images are all stored, so that they can be sealed again. */
export async function listSealable(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly guid: string }>`
    select first_delivery_guid as guid from stored_file
    where organisation_guid = ${organisationId} and slot_guid = ${slotGuid} and role = 'plain'
    group by first_delivery_guid having bool_and(${isUsable})`.execute(db);
  return new Set(rows.map(({ guid }) => guid));
}

/** When the encoded files of slots were sealed, by the GUID of the file; only files that a maker's service has sealed. */
export async function listSealTimes(
  db: Db,
  organisationId: OrganisationId,
  slotGuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ readonly fileGuid: string; readonly sealedOn: string }>`
    select file_guid as "fileGuid", sealed_on as "sealedOn" from ${sealedFiles} as sealed
    where organisation_guid = ${organisationId} and slot_guid = any(${slotGuids}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map(({ fileGuid, sealedOn }) => [fileGuid, sealedOn]));
}

interface DeliveryRow {
  readonly guid: string;
  readonly sealedOn: string;
}

/** The delivery that was sealed last and is still stored. */
async function findNewest(db: Db, file: StoredFile): Promise<DeliveryRow | null> {
  const first = firstDeliveryOf(file);
  const { rows } = await sql<DeliveryRow>`
    select stored_file.guid, sealed_on as "sealedOn"
    from stored_file join ${sealedFiles} as sealed on sealed.slot_guid = stored_file.slot_guid
      and file_guid = stored_file.guid::text
    where stored_file.organisation_guid = ${file.organisationId} and stored_file.slot_guid = ${file.slotGuid}
      and role = 'encoded' and (stored_file.guid = ${first} or first_delivery_guid = ${first})
      and ${isUsable}
    order by sealed_on desc, stored_file.guid desc
    limit 1`.execute(db);
  return rows[0] ?? null;
}

interface SealingRow {
  readonly status: 'waiting' | 'running' | 'succeeded' | 'failed';
  readonly stage: string;
  readonly errorName: string | null;
  readonly errorDetail: string | null;
  readonly hasJustEnded: boolean;
}

/** The operation that last sealed the file again, or does so now; null: none has. */
async function findLastSealing(db: Db, file: StoredFile): Promise<SealingRow | null> {
  const { rows } = await sql<SealingRow>`
    select status, stage, error_name as "errorName", error_detail as "errorDetail",
      coalesce(completed_on > now() - make_interval(mins => ${linkPauseMinutes}), false) as "hasJustEnded"
    from operation
    where organisation_guid = ${file.organisationId} and slot_guid = ${file.slotGuid} and is_background
      and request -> 'sealsAgain' ->> 'fileGuid' = ${firstDeliveryOf(file)}
    order by created_on desc, guid desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Minutes after which a link, which anyone may have, can start again what has failed. */
const linkPauseMinutes = 10;

/** Whether the last attempt to seal a file again failed so recently that no link starts another one. */
export async function isPausedForLinks(db: Db, file: StoredFile): Promise<boolean> {
  const last = await findLastSealing(db, file);
  return last?.status === 'failed' && last.hasJustEnded;
}

const reasons = ['ENGINE_REFUSED', 'ENGINE_UNAVAILABLE'] as const;

/** The state of a file whose newest delivery is too old. */
async function readDueState(db: Db, file: StoredFile) {
  const none = { isWaiting: false, reason: null, detail: null } as const;
  const last = await findLastSealing(db, file);
  if (last?.status === 'waiting' || last?.status === 'running')
    return { ...none, state: 'sealing', isWaiting: last.stage === 'WAITING_FOR_ENGINE' } as const;
  if ((await listPlainImages(db, file)).length === 0)
    return { ...none, state: 'impossible' } as const;
  if (last?.status !== 'failed') return { ...none, state: 'due' } as const;
  const reason = reasons.find((one) => one === last.errorName) ?? 'FAILED';
  return { ...none, state: 'failed', reason, detail: last.errorDetail } as const;
}

/** The family of the slot that a file belongs to. */
async function findFamilyOf(db: Db, { slotGuid }: StoredFile): Promise<Family> {
  const row = await db
    .selectFrom('slot')
    .select('family')
    .where('guid', '=', slotGuid)
    .executeTakeFirstOrThrow();
  return row.family;
}

/** Whether a file can be written now, and which delivery of it to download. */
export async function readSealing(db: Db, file: StoredFile): Promise<SealingState> {
  const given = { fileGUID: file.guid, sealedOn: null, expiresOn: null };
  const calm = { isWaiting: false, reason: null, detail: null } as const;
  const lasting = { state: 'lasting', ...calm, ...given } as const;
  if (file.role !== 'encoded') return lasting;
  const family = await findFamilyOf(db, file);
  if (!doFilesExpire(family)) return lasting;
  const newest = await findNewest(db, file);
  const sealedOn = newest && new Date(newest.sealedOn);
  const shown =
    newest === null || sealedOn === null
      ? given
      : {
          fileGUID: newest.guid,
          sealedOn: sealedOn.toISOString(),
          expiresOn: findSealEnd(family, sealedOn)?.toISOString() ?? null,
        };
  const isFresh = sealedOn !== null && isSealFresh(family, sealedOn, await readNow(db));
  return isFresh
    ? { state: 'fresh', ...calm, ...shown }
    : { ...(await readDueState(db, file)), ...shown };
}
