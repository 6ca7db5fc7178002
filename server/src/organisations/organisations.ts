/** Owns the tables organisation and membership: who there is, what each may do, who works under which customer code. */
import { type Family, byFamily } from '@recodery/contract/families/registry';
import { type Kysely, sql } from 'kysely';
import { isGuid } from '../config/guids.ts';
import type { Database } from '../postgres/schema.ts';
import { mintOrganisationId, type OrganisationId, type Rights } from './caller.ts';

type Db = Kysely<Database>;

/** The columns of `organisation` that say what it may do. */
export interface RightsColumns {
  readonly families: readonly Family[];
  readonly may_recod: boolean;
  readonly may_utility: boolean;
  readonly may_auto_send: boolean;
  readonly may_skip_checksum: boolean;
  readonly may_debug: boolean;
}

/** Reads an organisation's rights out of its row. */
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

/** An organisation as others may know it. `culture` is a language tag such as `it-IT`. */
export interface Organisation {
  readonly guid: string;
  readonly customerCode: string;
  readonly name: string;
  readonly email: string | null;
  readonly culture: string;
}

/** The organisations an account works for, the one that is current after sign-in first. */
export async function listOrganisationsOf(
  db: Db,
  accountGuid: string,
): Promise<readonly (Organisation & { readonly position: number })[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('organisation', 'organisation.guid', 'membership.organisation_guid')
    .where('membership.account_guid', '=', accountGuid)
    .orderBy('membership.position')
    .orderBy('organisation.customer_code')
    .select([
      'organisation.guid',
      'organisation.customer_code',
      'organisation.name',
      'organisation.email',
      'organisation.culture',
      'membership.position',
    ])
    .execute();
  return rows.map(({ customer_code, ...rest }) => ({ ...rest, customerCode: customer_code }));
}

/** An organisation's own row, or null. */
export async function findOrganisation(
  db: Db,
  organisationId: OrganisationId,
): Promise<Organisation | null> {
  const row = await db
    .selectFrom('organisation')
    .where('guid', '=', organisationId)
    .select(['guid', 'customer_code', 'name', 'email', 'culture'])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { customer_code, ...rest } = row;
  return { ...rest, customerCode: customer_code };
}

/**
 * Holds the organisation's row until the transaction ends, so that what is counted for it stays counted. After a slot's
 * row, where both are held: in the other order two transactions could wait for each other.
 */
export async function lockOrganisation(trx: Db, organisationId: OrganisationId): Promise<void> {
  await trx
    .selectFrom('organisation')
    .select('guid')
    .where('guid', '=', organisationId)
    // not `for update`: the foreign keys of other rows must not wait for us
    .modifyEnd(sql`for no key update`)
    .executeTakeFirstOrThrow();
}

/**
 * The workshop that owned a slave when its read was decoded: a slot of the caller's own is the proof that he may know
 * it. Null when it was not known, or is gone.
 */
export async function findSlaveOwner(
  db: Db,
  slot: { readonly slaveOwnerGuid: string | null },
): Promise<Organisation | null> {
  if (slot.slaveOwnerGuid === null) return null;
  return findOrganisation(db, mintOrganisationId(slot.slaveOwnerGuid));
}

/** A logo's bytes and media type. */
export interface Logo {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/** The logo of an organisation, by its guid; logos are public, since they stand in pages as pictures. */
export async function findLogo(db: Db, organisationGuid: string): Promise<Logo | null> {
  if (!isGuid(organisationGuid)) return null;
  const row = await db
    .selectFrom('organisation')
    .where('guid', '=', organisationGuid)
    .where('logo', 'is not', null)
    .select(['logo', 'logo_media_type'])
    .executeTakeFirst();
  if (row?.logo == null || row.logo_media_type === null) return null;
  return { bytes: row.logo, mediaType: row.logo_media_type };
}
