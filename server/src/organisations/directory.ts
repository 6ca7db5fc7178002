/** Applies the operator's directory to the tables of organisations, users and devices, and exports it from them. */
import { families } from '@recodery/contract/families';
import { type Kysely, sql } from 'kysely';
import { notify } from '../platform/announce.ts';
import { newGuid } from '../platform/guids.ts';
import type { Database } from '../platform/schema.ts';
import type { Secrets } from '../platform/secrets.ts';
import { masterPurpose } from './devices.ts';
import type { DirectoryFile, RightName } from './directory-file.ts';
import {
  type DirectoryChange,
  type DirectoryPlan,
  type DirectoryState,
  deviceKey,
  groupKey,
  type OrganisationRecord,
  planDirectory,
} from './directory-rules.ts';
import type { RightsColumns } from './organisations.ts';

type Db = Kysely<Database>;

export interface DirectoryDeps {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'createKey'>;
}

const rightColumns: Readonly<Record<RightName, keyof RightsColumns>> = {
  kessv2: 'may_kessv2',
  ktag: 'may_ktag',
  kess3: 'may_kess3',
  recod: 'may_recod',
  utility: 'may_utility',
  autoSend: 'may_auto_send',
  skipChecksum: 'may_skip_checksum',
  debug: 'may_debug',
};
const rightEntries = Object.entries(rightColumns) as readonly [RightName, keyof RightsColumns][];

/** Any number that nobody else in this database locks with. */
const lockKey = 7_263_327;

/**
 * Makes everything as the file says, in one transaction: all of it or nothing. Gives what was done, or would be with
 * `isTrial`. Running portals go by the tables, so it is in force at once.
 */
export async function applyDirectory(
  deps: DirectoryDeps,
  file: DirectoryFile,
  isTrial = false,
): Promise<DirectoryPlan> {
  return deps.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${lockKey})`.execute(trx);
    const plan = planDirectory(file, await readState(trx));
    if (isTrial || !('changes' in plan) || plan.changes.length === 0) return plan;
    for (const change of plan.changes) await applyChange(trx, deps.secrets, change);
    // Open pages look again at what their user may do.
    await notify(trx, { kind: 'session', guid: null, organisation: null });
    return plan;
  });
}

async function readState(trx: Db): Promise<DirectoryState> {
  const organisations = await trx
    .selectFrom('organisation')
    .selectAll()
    .orderBy('customer_code')
    .execute();
  const codes = new Map(organisations.map(({ guid, customer_code }) => [guid, customer_code]));
  const codeOf = (guid: string): string => codes.get(guid) ?? '';
  const groups = await trx.selectFrom('group_code').selectAll().orderBy('code').execute();
  const masters = await trx
    .selectFrom('master_device')
    .innerJoin('group_code', 'group_code.guid', 'master_device.group_code_guid')
    .selectAll('master_device')
    .select('group_code.code as group_code')
    .orderBy('serial_number')
    .execute();
  const slaves = await trx
    .selectFrom('slave_device')
    .innerJoin('master_device', 'master_device.guid', 'slave_device.master_device_guid')
    .selectAll('slave_device')
    .select('master_device.serial_number as master_serial')
    .orderBy('slave_device.serial_number')
    .execute();
  return {
    organisations: new Map(
      organisations.map((row) => [
        row.customer_code,
        {
          name: row.name,
          email: row.email,
          culture: row.culture,
          rights: rightEntries.filter(([, column]) => row[column]).map(([name]) => name),
          logo: writeLogo(row.logo, row.logo_media_type),
        },
      ]),
    ),
    groups: new Map(
      groups.map(({ organisation_guid, code }) => {
        const customerCode = codeOf(organisation_guid);
        return [groupKey(customerCode, code), { customerCode, code }];
      }),
    ),
    masters: new Map(
      masters.map((row) => [
        deviceKey(row.family, row.serial_number),
        {
          family: row.family,
          serial: row.serial_number,
          customerCode: codeOf(row.organisation_guid),
          groupCode: row.group_code,
        },
      ]),
    ),
    slaves: new Map(
      slaves.map((row) => [
        deviceKey(row.family, row.serial_number),
        {
          family: row.family,
          serial: row.serial_number,
          masterSerial: row.master_serial,
          owner: row.owner_guid === null ? null : codeOf(row.owner_guid),
          revoked: row.is_revoked,
        },
      ]),
    ),
    users: await readUsers(trx, codeOf),
  };
}

async function readUsers(
  trx: Db,
  codeOf: (guid: string) => string,
): Promise<DirectoryState['users']> {
  const accounts = await trx.selectFrom('account').selectAll().orderBy('email').execute();
  const memberships = await trx.selectFrom('membership').selectAll().orderBy('position').execute();
  const codesOf = Map.groupBy(memberships, ({ account_guid }) => account_guid);
  return new Map(
    accounts.map((row) => [
      row.email.toLowerCase(),
      {
        email: row.email,
        name: row.display_name,
        culture: row.culture,
        portalAccess: row.has_portal_access,
        customerCodes: (codesOf.get(row.guid) ?? []).map(({ organisation_guid }) =>
          codeOf(organisation_guid),
        ),
      },
    ]),
  );
}

async function applyChange(
  trx: Db,
  secrets: DirectoryDeps['secrets'],
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
    rightEntries.map(([name, column]) => [column, record.rights.includes(name)]),
  ) as Readonly<Record<keyof RightsColumns, boolean>>;
  return {
    ...rights,
    name: record.name,
    email: record.email,
    culture: record.culture,
    logo: logo?.bytes ?? null,
    logo_media_type: logo?.mediaType ?? null,
  };
}

async function applyOrganisation(trx: Db, change: ChangeOf<'organisation'>): Promise<void> {
  // The file has no way to remove an organisation: all its files would go with it.
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
  secrets: DirectoryDeps['secrets'],
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

function writeLogo(bytes: Buffer | null, mediaType: string | null): string | null {
  return bytes === null ? null : `data:${mediaType};base64,${bytes.toString('base64')}`;
}

function readLogo(url: string | null): { bytes: Buffer; mediaType: string } | null {
  const found = /^data:(image\/(?:png|svg\+xml));base64,([\w+/=]+)$/.exec(url ?? '');
  const [, mediaType, text] = found ?? [];
  if (mediaType === undefined || text === undefined) return null;
  return { bytes: Buffer.from(text, 'base64'), mediaType };
}

/** The whole directory; applying it again changes nothing. */
export async function exportDirectory(db: Db): Promise<DirectoryFile> {
  return db.transaction().execute(async (trx) => {
    await sql`set transaction isolation level repeatable read`.execute(trx);
    const state = await readState(trx);
    return {
      organisations: [...state.organisations].map(([customerCode, record]) => ({
        customerCode,
        name: record.name,
        email: record.email,
        culture: record.culture,
        rights: [...record.rights],
        logo: record.logo,
        groupCodes: exportGroups(state, customerCode),
      })),
      users: [...state.users.values()].map((user) => ({
        ...user,
        customerCodes: [...user.customerCodes],
      })),
    };
  });
}

function exportGroups(state: DirectoryState, customerCode: string) {
  const groups = [...state.groups.values()].filter((group) => group.customerCode === customerCode);
  return groups.map(({ code }) => ({
    code,
    masters: [...state.masters.values()]
      .filter((master) => master.customerCode === customerCode && master.groupCode === code)
      .sort((one, other) => families.indexOf(one.family) - families.indexOf(other.family))
      .map(({ family, serial }) => ({
        family,
        serial,
        slaves: [...state.slaves.values()]
          .filter((slave) => slave.family === family && slave.masterSerial === serial)
          .map((slave) => ({ serial: slave.serial, owner: slave.owner, revoked: slave.revoked })),
      })),
  }));
}
