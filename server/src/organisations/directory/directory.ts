/**
 * Applies the operator's directory to the tables of organisations, users and devices, and exports it from these tables.
 */
import { builtInEngine } from '@recodery/contract/features/engines';
import { families } from '@recodery/contract/families/registry';
import { sql } from 'kysely';
import { notify } from '../../postgres/announce.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { readSnapshot } from '../../postgres/snapshot.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { applyUser } from '../accounts.ts';
import { foldEmail } from '../email-rules.ts';
import { applyGroup, applyMaster, applySlave } from '../device-changes.ts';
import type { DirectoryFile } from './directory-file.ts';
import { listConnections } from '../../engine-connections/engine-connections.ts';
import { listMoves, planDirectory } from './directory-rules.ts';
import {
  deviceKey,
  type DirectoryChange,
  type DirectoryPlan,
  type DirectoryState,
  groupKey,
  type WorkName,
  workNames,
} from './directory-state-rules.ts';
import { applyOrganisation, rightNamesOf } from '../organisations.ts';

export interface DirectoryDeps {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'createKey'>;
}

/** An arbitrary number that no other lock in this database uses. */
const lockKey = 7_263_327;

/** How a file is applied. */
export interface ApplyOptions {
  /** Only plans the changes. */
  readonly isTrial?: boolean;
  /** Applies nothing if a device would change its owner, such as because of a mistyped serial number. */
  readonly refusesMoves?: boolean;
  /** Called with what the file changes, before anything is changed; throws to refuse it. */
  readonly admit?: (changes: readonly DirectoryChange[], present: DirectoryState) => void;
}

/**
 * Applies the file in one transaction: either all of it or nothing. Returns the changes, or with `isTrial` the changes
 * that it would make. Running portals read the tables, so it takes effect immediately.
 */
export async function applyDirectory(
  deps: DirectoryDeps,
  file: DirectoryFile,
  options: ApplyOptions = {},
): Promise<DirectoryPlan> {
  return deps.db
    .transaction()
    .execute((trx) => applyDirectoryWithin(trx, deps.secrets, file, options));
}

/** The same within the caller's transaction, which the caller must roll back when the plan has mistakes. */
export async function applyDirectoryWithin(
  trx: Db,
  secrets: DirectoryDeps['secrets'],
  file: DirectoryFile,
  { isTrial = false, refusesMoves = false, admit }: ApplyOptions = {},
): Promise<DirectoryPlan> {
  await lockDirectory(trx);
  const present = await readDirectoryState(trx);
  const plan = planDirectory(file, present);
  if ('changes' in plan) admit?.(plan.changes, present);
  if (isTrial || !('changes' in plan) || plan.changes.length === 0) return plan;
  const moves = refusesMoves ? listMoves(plan.changes) : [];
  if (moves.length > 0) return { mistakes: moves };
  for (const change of plan.changes) await applyChange(trx, secrets, change);
  // Open pages check their user's rights again.
  await notify(trx, { kind: 'session', guid: null, organisation: null });
  return plan;
}

/** Applies one change; the changes of a plan must be applied in order, in one transaction. */
async function applyChange(
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
      return applySlave(trx, secrets, change);
    case 'user':
      return applyUser(trx, change);
  }
}

/** Locks the directory against other changes until the transaction ends. */
export async function lockDirectory(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey})`.execute(trx);
}

/** The whole directory. */
export async function readDirectoryState(trx: Db): Promise<DirectoryState> {
  const organisations = await trx
    .selectFrom('organisation')
    .selectAll()
    .orderBy('customer_code')
    .execute();
  const codes = new Map(organisations.map(({ guid, customer_code }) => [guid, customer_code]));
  const codeOf = (guid: string): string => codes.get(guid) ?? '';
  const groups = await trx.selectFrom('group_code').selectAll().orderBy('code').execute();
  return {
    organisations: new Map(
      organisations.map((row) => [
        row.customer_code,
        {
          name: row.name,
          email: row.email,
          culture: row.culture,
          rights: rightNamesOf(row),
          logo: writeLogo(row.logo, row.logo_media_type),
          quotaGib: row.quota_gib,
          archived: row.is_archived,
        },
      ]),
    ),
    groups: new Map(
      groups.map(({ organisation_guid, code }) => {
        const customerCode = codeOf(organisation_guid);
        return [groupKey(customerCode, code), { customerCode, code }];
      }),
    ),
    masters: await readMasters(trx, codeOf),
    slaves: await readSlaves(trx, codeOf),
    users: await readUsers(trx, codeOf),
    engines: new Map((await listConnections(trx)).map(({ name, kind }) => [name, kind])),
    withWork: await readWithWork(trx),
  };
}

/** The archived organisations that still have something which their removal would delete. */
async function readWithWork(trx: Db): Promise<DirectoryState['withWork']> {
  const { rows } = await sql<{ readonly code: string } & Readonly<Record<WorkName, boolean>>>`
    select customer_code as code,
      exists (select from slot where organisation_guid = organisation.guid) as jobs,
      exists (select from operation where organisation_guid = organisation.guid) as operations,
      exists (select from receipt where organisation_guid = organisation.guid) as receipts,
      exists (select from notification where organisation.guid
        in (sender_organisation_guid, receiver_organisation_guid)) as notifications
    from organisation where is_archived`.execute(trx);
  return new Map(rows.map((row) => [row.code, workNames.filter((name) => row[name])]));
}

type CodeOf = (organisationGuid: string) => string;

async function readMasters(trx: Db, codeOf: CodeOf): Promise<DirectoryState['masters']> {
  const rows = await trx
    .selectFrom('master_device')
    .innerJoin('group_code', 'group_code.guid', 'master_device.group_code_guid')
    .leftJoin('engine_connection', 'engine_connection.guid', 'master_device.connection_guid')
    .selectAll('master_device')
    .select(['group_code.code as group_code', 'engine_connection.name as engine'])
    .orderBy('serial_number')
    .execute();
  return new Map(
    rows.map(({ family, serial_number, organisation_guid, group_code, engine }) => [
      deviceKey(family, serial_number),
      {
        family,
        serial: serial_number,
        customerCode: codeOf(organisation_guid),
        groupCode: group_code,
        engine: engine ?? builtInEngine,
      },
    ]),
  );
}

async function readSlaves(trx: Db, codeOf: CodeOf): Promise<DirectoryState['slaves']> {
  const rows = await trx
    .selectFrom('slave_device')
    .innerJoin('master_device', 'master_device.guid', 'slave_device.master_device_guid')
    .selectAll('slave_device')
    .select('master_device.serial_number as master_serial')
    .orderBy('slave_device.serial_number')
    .execute();
  return new Map(
    rows.map(({ family, serial_number, master_serial, owner_guid, is_revoked }) => [
      deviceKey(family, serial_number),
      {
        family,
        serial: serial_number,
        masterSerial: master_serial,
        owner: owner_guid === null ? null : codeOf(owner_guid),
        revoked: is_revoked,
      },
    ]),
  );
}

async function readUsers(trx: Db, codeOf: CodeOf): Promise<DirectoryState['users']> {
  const accounts = await trx.selectFrom('account').selectAll().orderBy('email').execute();
  const memberships = await trx.selectFrom('membership').selectAll().orderBy('position').execute();
  const codesOf = Map.groupBy(memberships, ({ account_guid }) => account_guid);
  return new Map(
    accounts.map((row) => [
      foldEmail(row.email),
      {
        email: row.email,
        name: row.display_name,
        culture: row.culture,
        portalAccess: row.has_portal_access,
        accountSuspended: row.is_suspended,
        customerCodes: (codesOf.get(row.guid) ?? []).map(({ organisation_guid }) =>
          codeOf(organisation_guid),
        ),
        operator: row.is_operator,
        manager: (codesOf.get(row.guid) ?? [])
          .filter(({ is_manager }) => is_manager)
          .map(({ organisation_guid }) => codeOf(organisation_guid)),
        suspended: (codesOf.get(row.guid) ?? [])
          .filter(({ is_suspended }) => is_suspended)
          .map(({ organisation_guid }) => codeOf(organisation_guid)),
      },
    ]),
  );
}

function writeLogo(bytes: Buffer | null, mediaType: string | null): string | null {
  return bytes === null ? null : `data:${mediaType};base64,${bytes.toString('base64')}`;
}

/** The whole directory; applying it again changes nothing. */
export async function exportDirectory(db: Db): Promise<DirectoryFile> {
  return readSnapshot(db, async (snapshot) => {
    const state = await readDirectoryState(snapshot);
    return {
      organisations: [...state.organisations].map(([customerCode, record]) => ({
        customerCode,
        name: record.name,
        email: record.email,
        culture: record.culture,
        rights: [...record.rights],
        logo: record.logo,
        ...(record.quotaGib === null ? {} : { quotaGib: record.quotaGib }),
        ...(record.archived ? { archived: true } : {}),
        groupCodes: exportGroups(state, customerCode),
      })),
      users: [...state.users.values()].map(({ suspended, accountSuspended, ...user }) => ({
        ...user,
        ...(accountSuspended ? { accountSuspended } : {}),
        ...(suspended.length === 0 ? {} : { suspended: [...suspended] }),
        customerCodes: [...user.customerCodes],
        manager: [...user.manager],
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
      .map(({ family, serial, engine }) => ({
        family,
        serial,
        ...(engine === builtInEngine ? {} : { engine }),
        slaves: [...state.slaves.values()]
          .filter((slave) => slave.family === family && slave.masterSerial === serial)
          .map((slave) => ({ serial: slave.serial, owner: slave.owner, revoked: slave.revoked })),
      })),
  }));
}
