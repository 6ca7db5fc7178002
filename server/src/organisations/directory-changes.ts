/** Applies the single changes of a directory's plan to the tables of each kind. */
import { families } from '@recodery/contract/families/registry';
import { type Kysely, sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { Database } from '../postgres/schema.ts';
import type { Secrets } from '../config/secrets.ts';
import { masterPurpose } from './devices.ts';
import type { RightName } from './directory-file.ts';
import type { DirectoryChange, OrganisationRecord } from './directory-rules.ts';
import type { RightsColumns } from './organisations.ts';

type Db = Kysely<Database>;

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

/** Applies one change; a plan's changes must be applied in order, in one transaction. */
export async function applyChange(
  trx: Db,
  secrets: Pick<Secrets, 'createKey'>,
  change: DirectoryChange,
): Promise<void> {
  switch (change.kind) {
    case 'organisation':
      return applyOrganisation(trx, change);
    case 'group':
      return applyGroup(trx, change);
    case 'master':
      return applyMaster(trx, secrets, change);
    case 'slave':
      return applySlave(trx, change);
    case 'user':
      return applyUser(trx, change);
  }
}

type ChangeOf<K extends DirectoryChange['kind']> = Extract<DirectoryChange, { kind: K }>;

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
  };
}

async function applyOrganisation(trx: Db, change: ChangeOf<'organisation'>): Promise<void> {
  // The file cannot remove an organisation, because that would delete all its files.
  if (change.action === 'remove') return;
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

async function organisationGuid(trx: Db, customerCode: string): Promise<string> {
  const row = await trx
    .selectFrom('organisation')
    .where('customer_code', '=', customerCode)
    .select('guid')
    .executeTakeFirstOrThrow();
  return row.guid;
}

async function applyGroup(trx: Db, change: ChangeOf<'group'>): Promise<void> {
  if (change.action === 'add') {
    const { customerCode, code } = change.record;
    const organisation_guid = await organisationGuid(trx, customerCode);
    await trx
      .insertInto('group_code')
      .values({ guid: newGuid(), organisation_guid, code })
      .execute();
  } else if (change.action === 'remove')
    await trx
      .deleteFrom('group_code')
      .using('organisation')
      .whereRef('organisation.guid', '=', 'group_code.organisation_guid')
      .where(sql<boolean>`organisation.customer_code || ' ' || group_code.code = ${change.key}`)
      .execute();
}

async function applyMaster(
  trx: Db,
  secrets: Pick<Secrets, 'createKey'>,
  change: ChangeOf<'master'>,
): Promise<void> {
  if (change.action === 'remove') {
    await trx
      .deleteFrom('master_device')
      .where(sql<boolean>`family || ' ' || serial_number = ${change.key}`)
      .execute();
    return;
  }
  const { family, serial, customerCode, groupCode } = change.record;
  const organisation_guid = await organisationGuid(trx, customerCode);
  const group = await trx
    .selectFrom('group_code')
    .where('organisation_guid', '=', organisation_guid)
    .where('code', '=', groupCode)
    .select('guid')
    .executeTakeFirstOrThrow();
  if (change.action === 'change') {
    await trx
      .updateTable('master_device')
      .where('family', '=', family)
      .where('serial_number', '=', serial)
      .set({ organisation_guid, group_code_guid: group.guid })
      .execute();
    return;
  }
  const guid = newGuid();
  const { keyId } = await secrets.createKey(masterPurpose(guid), undefined, trx);
  await trx
    .insertInto('master_device')
    .values({
      guid,
      organisation_guid,
      group_code_guid: group.guid,
      family,
      serial_number: serial,
      current_key_id: keyId,
    })
    .execute();
}

async function applySlave(trx: Db, change: ChangeOf<'slave'>): Promise<void> {
  if (change.action === 'remove') {
    await trx
      .deleteFrom('slave_device')
      .where(sql<boolean>`family || ' ' || serial_number = ${change.key}`)
      .execute();
    return;
  }
  const { family, serial, masterSerial, owner, revoked } = change.record;
  const master = await trx
    .selectFrom('master_device')
    .where('family', '=', family)
    .where('serial_number', '=', masterSerial)
    .select('guid')
    .executeTakeFirstOrThrow();
  const columns = {
    master_device_guid: master.guid,
    owner_guid: owner === null ? null : await organisationGuid(trx, owner),
    is_revoked: revoked,
  };
  if (change.action === 'add')
    await trx
      .insertInto('slave_device')
      .values({ guid: newGuid(), family, serial_number: serial, ...columns })
      .execute();
  else
    await trx
      .updateTable('slave_device')
      .where('family', '=', family)
      .where('serial_number', '=', serial)
      .set(columns)
      .execute();
}

async function applyUser(trx: Db, change: ChangeOf<'user'>): Promise<void> {
  const byKey = sql<boolean>`lower(email) = ${change.key}`;
  if (change.action === 'remove') {
    await trx.deleteFrom('account').where(byKey).execute();
    return;
  }
  const { email, name, culture, portalAccess, customerCodes } = change.record;
  const columns = { email, display_name: name, culture, has_portal_access: portalAccess };
  if (change.action === 'add')
    await trx
      .insertInto('account')
      .values({ guid: newGuid(), ...columns })
      .execute();
  else await trx.updateTable('account').where(byKey).set(columns).execute();
  const { guid } = await trx
    .selectFrom('account')
    .where(byKey)
    .select('guid')
    .executeTakeFirstOrThrow();
  await trx.deleteFrom('membership').where('account_guid', '=', guid).execute();
  for (const [position, code] of customerCodes.entries())
    await trx
      .insertInto('membership')
      .values({
        account_guid: guid,
        organisation_guid: await organisationGuid(trx, code),
        position,
      })
      .execute();
}

function readLogo(url: string | null): { bytes: Buffer; mediaType: string } | null {
  const found = /^data:(image\/(?:png|svg\+xml));base64,([\w+/=]+)$/.exec(url ?? '');
  const [, mediaType, text] = found ?? [];
  if (mediaType === undefined || text === undefined) return null;
  return { bytes: Buffer.from(text, 'base64'), mediaType };
}
