/** What client applications see of slots: the list, and the limit of open ones. */
import { Refusal } from '@recodery/contract/refusal';
import type { Family } from '@recodery/contract/families/registry';
import { sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Slot } from './slots.ts';

/** What client applications see of a slot. */
export type SlotState = Pick<Slot, 'guid' | 'userCode' | 'openedByClientGuid' | 'createdOn'>;

/** Slots to list. */
export interface SlotListAsk {
  readonly organisationId: OrganisationId;
  readonly family: Family;
  /** The calling client application. */
  readonly clientGuid: string;
  /** Only slots with this label; absent: all. */
  readonly userCode: string | undefined;
  /** Only slots older than this one; absent: all. */
  readonly before: string | undefined;
  /** Slots to list besides the open ones. */
  readonly count: number;
}

/**
 * The slots of a family: first those that the client application has open, which its limit bounds, then the newest
 * others. A list that continues after `before` contains only older slots. One statement reads both, so that a slot that
 * is opened between two reads is not missed.
 */
export async function listSlotStates(db: Db, ask: SlotListAsk): Promise<readonly SlotState[]> {
  const { organisationId, family, clientGuid, userCode, before, count } = ask;
  let matching = db
    .selectFrom('slot')
    .select(['guid', 'user_code as userCode', 'created_on as createdOn'])
    .select('opened_by_client_guid as openedByClientGuid')
    .where('organisation_guid', '=', organisationId)
    .where('family', '=', family)
    .where('deleted_on', 'is', null);
  if (userCode !== undefined) matching = matching.where('user_code', '=', userCode);
  if (before !== undefined)
    matching = matching.where(
      sql<boolean>`(created_on, guid) < (
        select created_on, guid from slot
        where organisation_guid = ${organisationId} and guid = ${before})`,
    );
  // each part has its own index
  const open = matching.where('opened_by_client_guid', '=', clientGuid);
  const others = matching
    .where(sql<boolean>`opened_by_client_guid is distinct from ${clientGuid}`)
    .orderBy('created_on', 'desc')
    .orderBy('guid', 'desc')
    .limit(count);
  return db
    .selectFrom(open.unionAll(db.selectFrom(others.as('others')).selectAll()).as('listed'))
    .selectAll()
    .orderBy(sql`"openedByClientGuid" is not distinct from ${clientGuid}`, 'desc')
    .orderBy('createdOn', 'desc')
    .orderBy('guid', 'desc')
    .execute();
}

/**
 * Refuses with TOO_MANY_OPEN_SLOTS when a client application has `most` open slots. The count is final only in a
 * transaction that locks the organisation's row.
 */
export async function refuseWhenTooManyOpen(
  db: Db,
  organisationId: OrganisationId,
  clientGuid: string,
  most: number,
): Promise<void> {
  const { count } = await db
    .selectFrom('slot')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organisation_guid', '=', organisationId)
    .where('opened_by_client_guid', '=', clientGuid)
    .where('deleted_on', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= most) throw new Refusal('TOO_MANY_OPEN_SLOTS');
}
