/**
 * The deliveries of an encoded file that expires: the file that the encode made, and those that were sealed later from the
 * same image.
 */
import type { ComponentName } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import { doFilesExpire, findSealEnd, isSealFresh } from '@recodery/contract/families/sealing';
import type { SealingState } from '@recodery/contract/features/file-sealing';
import { sql } from 'kysely';
import { readNow } from '../../postgres/read-now.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { isKnownDamaged } from './damaged-files.ts';
import { isThere, type StoredFile } from './stored-files.ts';

/** The file that the encode made, of any delivery of it. */
export function firstDeliveryOf({
  guid,
  firstDeliveryGuid,
}: Pick<StoredFile, 'guid' | 'firstDeliveryGuid'>): string {
  return firstDeliveryGuid ?? guid;
}

/** A stored image that a maker's service was given. */
export interface PlainImage {
  readonly component: ComponentName;
  readonly fileGuid: string;
  /** Bytes. */
  readonly size: number;
}

/** The images that an encoded file was sealed from; none: they are not stored. */
export async function listPlainImages(
  db: Db,
  file: Pick<StoredFile, 'guid' | 'firstDeliveryGuid' | 'organisationId'>,
): Promise<readonly PlainImage[]> {
  const { rows } = await sql<PlainImage>`
    select component, guid as "fileGuid", size from stored_file
    where organisation_guid = ${file.organisationId} and first_delivery_guid = ${firstDeliveryOf(file)}
      and role = 'plain' and ${isThere} and not ${isKnownDamaged(sql.ref('stored_file.storage_key'))}
    order by guid`.execute(db);
  return rows;
}

interface DeliveryRow {
  readonly guid: string;
  readonly name: string;
  readonly sealedOn: string;
}

/** The delivery that was sealed last and is still stored. */
async function findNewest(db: Db, file: StoredFile): Promise<DeliveryRow | null> {
  const first = firstDeliveryOf(file);
  const { rows } = await sql<DeliveryRow>`
    select stored_file.guid, stored_file.name, result ->> 'sealedOn' as "sealedOn"
    from stored_file join operation on operation.slot_guid = stored_file.slot_guid
      and result ->> 'fileGuid' = stored_file.guid::text
    where stored_file.organisation_guid = ${file.organisationId} and stored_file.slot_guid = ${file.slotGuid}
      and role = 'encoded' and (stored_file.guid = ${first} or first_delivery_guid = ${first})
      and result ->> 'sealedOn' is not null
      and ${isThere} and not ${isKnownDamaged(sql.ref('stored_file.storage_key'))}
    order by result ->> 'sealedOn' desc, stored_file.guid desc
    limit 1`.execute(db);
  return rows[0] ?? null;
}

interface SealingRow {
  readonly status: 'waiting' | 'running' | 'succeeded' | 'failed';
  readonly stage: string;
  readonly errorName: string | null;
  readonly errorDetail: string | null;
}

/** The operation that last sealed the file again, or does so now; null: none has. */
async function findLastSealing(db: Db, file: StoredFile): Promise<SealingRow | null> {
  const { rows } = await sql<SealingRow>`
    select status, stage, error_name as "errorName", error_detail as "errorDetail" from operation
    where organisation_guid = ${file.organisationId} and slot_guid = ${file.slotGuid} and is_background
      and request -> 'sealsAgain' ->> 'fileGuid' = ${firstDeliveryOf(file)}
    order by created_on desc, guid desc limit 1`.execute(db);
  return rows[0] ?? null;
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
  const given = { fileGUID: file.guid, fileName: file.name, sealedOn: null, expiresOn: null };
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
          fileName: newest.name,
          sealedOn: sealedOn.toISOString(),
          expiresOn: findSealEnd(family, sealedOn)?.toISOString() ?? null,
        };
  const isFresh = sealedOn !== null && isSealFresh(family, sealedOn, await readNow(db));
  return isFresh
    ? { state: 'fresh', ...calm, ...shown }
    : { ...(await readDueState(db, file)), ...shown };
}
