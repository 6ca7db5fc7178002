/**
 * Owns the tables organisation and membership: all organisations, their rights, and who works under which customer
 * code.
 */
import { type Family, byFamily, families } from '@recodery/contract/families/registry';
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { mintOrganisationId, type OrganisationId, type Rights } from './caller.ts';
import type { RightName } from './directory/directory-file.ts';
import type {
  ChangeOf,
  OrganisationRecord,
  UserRecord,
} from './directory/directory-state-rules.ts';

/** The columns of `organisation` with its rights. */
export interface RightsColumns {
  readonly families: readonly Family[];
  readonly may_recod: boolean;
  readonly may_utility: boolean;
  readonly may_auto_send: boolean;
  readonly may_skip_checksum: boolean;
  readonly may_debug: boolean;
}

/** The columns that {@link rightsOf} reads. */
export const rightsColumns = [
  'organisation.families',
  'organisation.may_recod',
  'organisation.may_utility',
  'organisation.may_auto_send',
  'organisation.may_skip_checksum',
  'organisation.may_debug',
] as const;

/** Reads an organisation's rights from its row. */
export function rightsOf(row: RightsColumns): Rights {
  return {
    families: byFamily((family) => row.families.includes(family)),
    recod: row.may_recod,
    utility: row.may_utility,
    autoSend: row.may_auto_send,
    skipChecksum: row.may_skip_checksum,
    debug: row.may_debug,
  };
}

/** The rights in addition to the families. */
const rightColumns = {
  recod: 'may_recod',
  utility: 'may_utility',
  autoSend: 'may_auto_send',
  skipChecksum: 'may_skip_checksum',
  debug: 'may_debug',
} as const satisfies Partial<Record<RightName, keyof RightsColumns>>;
type ColumnRight = keyof typeof rightColumns;
const columnRights = Object.keys(rightColumns) as readonly ColumnRight[];

/** The rights in an organisation's row. */
export function rightNamesOf(row: RightsColumns): RightName[] {
  return [...row.families, ...columnRights.filter((name) => row[rightColumns[name]])];
}

/** The public data of an organisation. `culture` is a language tag such as `it-IT`. */
export interface Organisation {
  readonly guid: string;
  readonly customerCode: string;
  readonly name: string;
  readonly email: string | null;
  readonly culture: string;
}

/** The columns of an {@link Organisation}. */
export const publicColumns = [
  'organisation.guid',
  'organisation.customer_code as customerCode',
  'organisation.name',
  'organisation.email',
  'organisation.culture',
] as const;

/** The organisations that an account can work for; the first is current after sign-in. */
export async function listOrganisationsOf(
  db: Db,
  accountGuid: string,
): Promise<readonly (Organisation & { readonly position: number })[]> {
  return db
    .selectFrom('membership')
    .innerJoin('organisation', 'organisation.guid', 'membership.organisation_guid')
    .innerJoin('account', 'account.guid', 'membership.account_guid')
    .where('membership.account_guid', '=', accountGuid)
    .where('membership.is_suspended', '=', false)
    .where('account.is_suspended', '=', false)
    .where('organisation.is_archived', '=', false)
    .orderBy('membership.position')
    .orderBy('organisation.customer_code')
    .select([...publicColumns, 'membership.position'])
    .execute();
}

/** The organisation with that customer code, or null; for the operator's command line. */
export async function findOrganisationByCode(
  db: Db,
  customerCode: string,
): Promise<OrganisationId | null> {
  const row = await db
    .selectFrom('organisation')
    .where('customer_code', '=', customerCode)
    .select('guid')
    .executeTakeFirst();
  return row === undefined ? null : mintOrganisationId(row.guid);
}

/** An organisation's row, or null. */
export async function findOrganisation(
  db: Db,
  organisationId: OrganisationId,
): Promise<Organisation | null> {
  const row = await db
    .selectFrom('organisation')
    .where('guid', '=', organisationId)
    .select(publicColumns)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether an operator has archived the organisation. */
export async function isArchived(db: Db, organisationId: OrganisationId): Promise<boolean> {
  const row = await db
    .selectFrom('organisation')
    .where('guid', '=', organisationId)
    .where('is_archived', '=', true)
    .select('guid')
    .executeTakeFirst();
  return row !== undefined;
}

/** The organisations that a transaction has locked: several of its steps ask for the same lock. */
const lockedIn = new WeakMap<Db, Set<string>>();

/**
 * Locks the organisation's row until the transaction ends, so that counts for it remain valid. When a slot's row is
 * locked too, lock it first: the other order could cause a deadlock.
 */
export async function lockOrganisation(trx: Db, organisationId: OrganisationId): Promise<void> {
  const locked = lockedIn.get(trx) ?? new Set();
  if (locked.has(organisationId)) return;
  await trx
    .selectFrom('organisation')
    .select('guid')
    .where('guid', '=', organisationId)
    // not `for update`: the foreign keys of other rows must not wait for us
    .modifyEnd(sql`for no key update`)
    .executeTakeFirstOrThrow();
  noteLock(trx, organisationId);
}

/** Notes that a transaction has locked the organisation's row. */
export function noteLock(trx: Db, organisationId: OrganisationId): void {
  const locked = lockedIn.get(trx) ?? new Set();
  if (trx.isTransaction) lockedIn.set(trx, locked.add(organisationId));
}

/** Days that the organisation keeps its slots and files; null: the operator's default. */
export async function readRetention(
  db: Db,
  organisationId: OrganisationId,
): Promise<number | null> {
  const row = await db
    .selectFrom('organisation')
    .where('guid', '=', organisationId)
    .select('retention_days')
    .executeTakeFirstOrThrow();
  return row.retention_days;
}

/** Sets the days that the organisation keeps its slots; `changeExpiry` changes the expiry of its files. */
export async function setRetention(
  trx: Db,
  organisationId: OrganisationId,
  days: number | null,
): Promise<void> {
  await trx
    .updateTable('organisation')
    .where('guid', '=', organisationId)
    .set({ retention_days: days })
    .execute();
}

/** Organisations whose retention is outside the operator's bounds, in days. */
export async function listRetentionsOutside(
  db: Db,
  least: number,
  most: number,
): Promise<readonly { readonly organisationId: OrganisationId; readonly days: number }[]> {
  const rows = await db
    .selectFrom('organisation')
    .where(({ or, eb }) => or([eb('retention_days', '<', least), eb('retention_days', '>', most)]))
    .select(['guid', 'retention_days'])
    .execute();
  return rows.map(({ guid, retention_days }) => ({
    organisationId: mintOrganisationId(guid),
    days: retention_days ?? least,
  }));
}

/** A logo's bytes and media type. */
export interface Logo {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/** The logo of an organisation, by its guid; logos are public, because pages embed them as pictures. */
export async function findLogo(db: Db, organisationGuid: string): Promise<Logo | null> {
  const row = await db
    .selectFrom('organisation')
    .where('guid', '=', organisationGuid)
    .where('logo', 'is not', null)
    .select(['logo', 'logo_media_type'])
    .executeTakeFirst();
  if (row?.logo == null || row.logo_media_type === null) return null;
  return { bytes: row.logo, mediaType: row.logo_media_type };
}

function readLogo(url: string | null): { bytes: Buffer; mediaType: string } | null {
  const found = /^data:(image\/(?:png|svg\+xml));base64,([\w+/=]+)$/.exec(url ?? '');
  const [, mediaType, text] = found ?? [];
  if (mediaType === undefined || text === undefined) return null;
  return { bytes: Buffer.from(text, 'base64'), mediaType };
}

function organisationColumns(record: OrganisationRecord) {
  const logo = readLogo(record.logo);
  const rights = Object.fromEntries(
    columnRights.map((name) => [rightColumns[name], record.rights.includes(name)]),
  ) as Readonly<Record<(typeof rightColumns)[ColumnRight], boolean>>;
  return {
    ...rights,
    families: families.filter((family) => record.rights.includes(family)),
    name: record.name,
    email: record.email,
    culture: record.culture,
    logo: logo?.bytes ?? null,
    logo_media_type: logo?.mediaType ?? null,
    quota_gib: record.quotaGib,
    is_archived: record.archived,
  };
}

/** Adds, changes or removes an organisation. Only one without users, devices and work is removed. */
export async function applyOrganisation(trx: Db, change: ChangeOf<'organisation'>): Promise<void> {
  if (change.action === 'remove') {
    await trx.deleteFrom('organisation').where('customer_code', '=', change.key).execute();
    return;
  }
  const columns = organisationColumns(change.record);
  if (change.action === 'add')
    await trx
      .insertInto('organisation')
      .values({ guid: newGuid(), customer_code: change.key, ...columns })
      .execute();
  else
    await trx
      .updateTable('organisation')
      .where('customer_code', '=', change.key)
      .set(columns)
      .execute();
}

/** The guid of an organisation that must exist. */
export async function organisationGuid(trx: Db, customerCode: string): Promise<string> {
  const row = await trx
    .selectFrom('organisation')
    .where('customer_code', '=', customerCode)
    .select('guid')
    .executeTakeFirstOrThrow();
  return row.guid;
}

/** Sets the organisations of an account, by customer code; the first is current after sign-in. What stays is not written. */
export async function setMemberships(
  trx: Db,
  accountGuid: string,
  {
    customerCodes,
    manager,
    suspended,
  }: Pick<UserRecord, 'customerCodes' | 'manager' | 'suspended'>,
): Promise<void> {
  await trx
    .deleteFrom('membership')
    .where('account_guid', '=', accountGuid)
    .where(
      sql<boolean>`organisation_guid not in (
        select guid from organisation where customer_code = any(${customerCodes}::text[]))`,
    )
    .execute();
  for (const [position, code] of customerCodes.entries()) {
    const roles = {
      position,
      is_manager: manager.includes(code),
      is_suspended: suspended.includes(code),
    };
    await trx
      .insertInto('membership')
      .values({
        account_guid: accountGuid,
        organisation_guid: await organisationGuid(trx, code),
        ...roles,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['account_guid', 'organisation_guid'])
          .doUpdateSet(roles)
          .where(
            sql<boolean>`(membership.position, membership.is_manager, membership.is_suspended)
              is distinct from (excluded.position, excluded.is_manager, excluded.is_suspended)`,
          ),
      )
      .execute();
  }
}
