/** Owns the table slot: one read file with everything produced from it. */
import { Refusal } from '@recodery/contract/refusal';
import type { Mode } from '@recodery/contract/families/family';
import type { Family, Workflow } from '@recodery/contract/families/registry';
import type { EngineKind } from '@recodery/contract/features/engines';
import { type Selectable, sql } from 'kysely';
import { type Doer, mintOrganisationId, type OrganisationId } from '../organisations/caller.ts';
import { announcing } from '../postgres/announce.ts';
import { buildOnce } from '../postgres/build-once.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';
import { type DraftRecord, noDraft } from './draft-record.ts';
import { isOfDouble, slotColumns } from './slot-columns.ts';

/** A row of the slot table. Devices, mode, protocol and facts are null until the read is decoded. */
export interface Slot {
  readonly guid: string;
  readonly organisationId: OrganisationId;
  /** Of its organisation. */
  readonly customerCode: string;
  readonly accountGuid: string | null;
  /** The client application that made it; null: a user of the portal. */
  readonly clientGuid: string | null;
  /** The label that a client application gave its customer. */
  readonly userCode: string | null;
  /** The client application against whose limit of open slots it counts; null: closed to client applications. */
  readonly openedByClientGuid: string | null;
  readonly family: Family;
  readonly workflow: Workflow;
  readonly groupCode: string;
  readonly readFileName: string;
  readonly masterDeviceGuid: string | null;
  readonly slaveDeviceGuid: string | null;
  readonly slaveSerialNumber: string | null;
  readonly slaveOwnerGuid: string | null;
  /** The number of the key that sealed the read; null: not known. */
  readonly keyId: number | null;
  readonly mode: Mode | null;
  readonly protocolId: number | null;
  readonly vin: string | null;
  readonly facts: Readonly<Record<string, unknown>> | null;
  readonly draft: DraftRecord;
  /** What the newest pre-flight of its draft could not check; null: there was none. */
  readonly checkLimits: unknown;
  /** The connection to the engine that decoded it; null: the built-in engine. */
  readonly connectionGuid: string | null;
  readonly engineKind: EngineKind;
  /** What that engine has stored with the slot; only the engine reads it. */
  readonly engineContext: StoredContext;
  readonly note: string | null;
  /** The label that a user gave the customer; names of files can contain it. */
  readonly customerLabel: string | null;
  /** The labels that it had before: older names can contain them. */
  readonly pastLabels: readonly string[];
  /** Kept regardless of the retention. */
  readonly isKept: boolean;
  /** A double of the demo opens and seals its files, or did so before they were imported. */
  readonly isDouble: boolean;
  readonly createdOn: Date;
}

/** The values of a slot when its read file has been received. */
export type NewSlot = Doer &
  Pick<
    Slot,
    | 'guid'
    | 'family'
    | 'workflow'
    | 'groupCode'
    | 'readFileName'
    | 'masterDeviceGuid'
    | 'connectionGuid'
  > &
  Partial<
    Pick<
      Slot,
      | 'userCode'
      | 'openedByClientGuid'
      | 'slaveDeviceGuid'
      | 'slaveSerialNumber'
      | 'slaveOwnerGuid'
      | 'isDouble'
    >
  >;

/** The results of the decode; values that the engine does not report are null. */
export interface ReadDescription extends SlotOrigin, Pick<Slot, 'protocolId' | 'vin' | 'isDouble'> {
  readonly mode: Mode;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The kind of a slot's engine, as a column. */
const engineKind = sql<EngineKind>`coalesce(
  (select kind from engine_connection where engine_connection.guid = slot.connection_guid), 'built-in')`;

/** What an engine has stored: sealed, or as a version before migration 0060 stored it. */
export type StoredContext = Buffer | Readonly<Record<string, unknown>> | null;

/** The context of a slot's row. */
function storedContext(
  row: Pick<Selectable<Database['slot']>, 'engine_context' | 'remote_slot_guid'>,
): StoredContext {
  const { engine_context: sealed, remote_slot_guid: slotGuid } = row;
  return sealed ?? (slotGuid === null ? null : { slotGuid });
}

/** The customer code of a slot's organisation, as a column. */
const customerCode = sql<string>`
  (select customer_code from organisation where organisation.guid = slot.organisation_guid)`;

interface SlotRow extends Pick<Selectable<Database['slot']>, (typeof slotColumns)[number]> {
  readonly customer_code: string;
  readonly engine_kind: EngineKind;
}

/** Converts a row of {@link livingSlot}. */
export function readSlot(row: SlotRow): Slot {
  return {
    guid: row.guid,
    organisationId: mintOrganisationId(row.organisation_guid),
    customerCode: row.customer_code,
    accountGuid: row.account_guid,
    clientGuid: row.client_guid,
    userCode: row.user_code,
    openedByClientGuid: row.opened_by_client_guid,
    family: row.family,
    workflow: row.workflow,
    groupCode: row.group_code,
    readFileName: row.read_file_name,
    masterDeviceGuid: row.master_device_guid,
    slaveDeviceGuid: row.slave_device_guid,
    slaveSerialNumber: row.slave_serial_number,
    slaveOwnerGuid: row.slave_owner_guid,
    keyId: row.key_id,
    mode: row.mode,
    protocolId: row.protocol_id,
    vin: row.vin,
    // Written by `describeRead`: an object or null.
    facts: row.facts as Slot['facts'],
    // Written by `saveDraft`.
    draft: (row.draft as DraftRecord | null) ?? noDraft,
    checkLimits: row.check_limits,
    connectionGuid: row.connection_guid,
    engineKind: row.engine_kind,
    engineContext: storedContext(row),
    note: row.note,
    customerLabel: row.customer_label,
    pastLabels: row.past_labels,
    isKept: row.is_kept,
    isDouble: row.is_double,
    createdOn: row.created_on,
  };
}

/** The query of {@link findSlot}. */
export function livingSlot(db: Db, organisationId: OrganisationId, guid: string) {
  return db
    .selectFrom('slot')
    .modifyFront(keepPlan)
    .select(slotColumns)
    .select([engineKind.as('engine_kind'), customerCode.as('customer_code')])
    .where('guid', '=', guid)
    .where('organisation_guid', '=', organisationId)
    .where('deleted_on', 'is', null);
}

const selectSlot = buildOnce(livingSlot);

/** The statement that inserts a new slot. */
export function slotInsert(db: Db, slot: NewSlot) {
  return db.insertInto('slot').values({
    guid: slot.guid,
    organisation_guid: slot.organisationId,
    account_guid: slot.accountGuid,
    client_guid: slot.clientGuid,
    user_code: slot.userCode ?? null,
    opened_by_client_guid: slot.openedByClientGuid ?? null,
    family: slot.family,
    workflow: slot.workflow,
    group_code: slot.groupCode,
    read_file_name: slot.readFileName,
    master_device_guid: slot.masterDeviceGuid,
    slave_device_guid: slot.slaveDeviceGuid ?? null,
    slave_serial_number: slot.slaveSerialNumber ?? null,
    slave_owner_guid: slot.slaveOwnerGuid ?? null,
    connection_guid: slot.connectionGuid,
    is_double: slot.isDouble === true ? true : isOfDouble(slot.connectionGuid),
  });
}

/**
 * The serial number of the slave of the newest job with this read file that was decoded; undefined: there is none. A
 * failed decode may be due to a wrong slave, and a job that was deleted is forgotten.
 */
export async function findSlaveOfRead(
  db: Db,
  organisationId: OrganisationId,
  sha256: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('slot')
    .innerJoin('stored_file', 'stored_file.slot_guid', 'slot.guid')
    .where('slot.organisation_guid', '=', organisationId)
    .where('stored_file.role', '=', 'read')
    .where('stored_file.sha256', '=', sha256)
    .where('slot.deleted_on', 'is', null)
    .where('slot.facts', 'is not', null)
    .where('slot.slave_serial_number', 'is not', null)
    .orderBy('slot.created_on', 'desc')
    .select('slot.slave_serial_number as serialNumber')
    .limit(1)
    .executeTakeFirst();
  return row?.serialNumber ?? undefined;
}

/** A slot of the organisation that has not been deleted, or null. */
export async function findSlot(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<Slot | null> {
  const [row] = await selectSlot(db, organisationId, guid);
  return row === undefined ? null : readSlot(row);
}

/** How many slots that have not been deleted have their reads from an engine of this connection. */
export async function countSlotsOfConnection(db: Db, connectionGuid: string): Promise<number> {
  const { count } = await db
    .selectFrom('slot')
    .where('connection_guid', '=', connectionGuid)
    .where('deleted_on', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The slots of the organisation with these guids that have not been deleted. */
export async function findSlots(
  db: Db,
  organisationId: OrganisationId,
  guids: readonly string[],
): Promise<readonly Slot[]> {
  const rows = await db
    .selectFrom('slot')
    .selectAll()
    .select([engineKind.as('engine_kind'), customerCode.as('customer_code')])
    .where('organisation_guid', '=', organisationId)
    .where(sql<boolean>`guid = any(${guids}::uuid[])`)
    .where('deleted_on', 'is', null)
    .execute();
  return rows.map(readSlot);
}

/** A slot that must exist. @throws when it does not */
export async function getSlot(db: Db, organisationId: OrganisationId, guid: string): Promise<Slot> {
  const slot = await findSlot(db, organisationId, guid);
  if (slot === null) throw new Error(`there is no slot ${guid}`);
  return slot;
}

/**
 * Locks a slot until the transaction ends, so that no other transaction changes its data. @throws {Refusal} NOT_FOUND
 * if it has since been deleted
 */
export async function lockSlot(
  trx: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<Slot> {
  const row = await livingSlot(trx, organisationId, guid).forUpdate().executeTakeFirst();
  if (row === undefined) throw new Refusal('NOT_FOUND');
  return readSlot(row);
}

/** The devices that wrote and opened a read, with their key; those that have been removed meanwhile are null. */
type SlotOrigin = Pick<
  Slot,
  'masterDeviceGuid' | 'slaveDeviceGuid' | 'slaveSerialNumber' | 'slaveOwnerGuid' | 'keyId'
>;

function originColumns(origin: SlotOrigin) {
  return {
    master_device_guid: origin.masterDeviceGuid,
    slave_device_guid: origin.slaveDeviceGuid,
    slave_serial_number: origin.slaveSerialNumber,
    slave_owner_guid: origin.slaveOwnerGuid,
    key_id: origin.keyId,
  };
}

/** Records which devices wrote a read, before its contents are known; nothing if it has been decoded or deleted. */
export async function setOrigin(
  db: Db,
  { guid, organisationId }: Pick<Slot, 'guid' | 'organisationId'>,
  origin: SlotOrigin,
): Promise<void> {
  await db
    .updateTable('slot')
    .set(originColumns(origin))
    .where('guid', '=', guid)
    .where('organisation_guid', '=', organisationId)
    .where('facts', 'is', null)
    .where('deleted_on', 'is', null)
    .execute();
}

/** The statement that records the results of the decode. */
export function slotDescription(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
  found: ReadDescription,
) {
  return db
    .updateTable('slot')
    .set({
      ...originColumns(found),
      mode: found.mode,
      protocol_id: found.protocolId,
      vin: found.vin,
      facts: JSON.stringify(found.facts),
      is_double: found.isDouble,
    })
    .where('guid', '=', guid)
    .where('organisation_guid', '=', organisationId);
}

/** Stores what the engine keeps with the slot, encrypted. */
export async function saveSlotContext(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
  sealed: Buffer,
): Promise<void> {
  await db
    .updateTable('slot')
    .set({ engine_context: sealed, remote_slot_guid: null })
    .where('guid', '=', guid)
    .where('organisation_guid', '=', organisationId)
    .execute();
}

/** What engines keep with these slots. */
export async function listSlotContexts(
  db: Db,
  guids: readonly string[],
): Promise<readonly { readonly guid: string; readonly stored: StoredContext }[]> {
  const rows = await db
    .selectFrom('slot')
    .where(sql<boolean>`guid = any(${guids}::uuid[])`)
    .select(['guid', 'engine_context', 'remote_slot_guid'])
    .execute();
  return rows.map(({ guid, ...row }) => ({ guid, stored: storedContext(row) }));
}

/**
 * Saves what the user has prepared for encoding, and announces a new version. `trx` must hold the slot's lock, so that no
 * upload is overwritten.
 */
export async function saveDraft(trx: Db, slot: Slot, draft: DraftRecord): Promise<void> {
  const { guid, organisationId: organisation } = slot;
  const isNew = draft.version !== slot.draft.version;
  await trx
    .updateTable('slot')
    .set({ draft: JSON.stringify(draft) })
    .where('guid', '=', guid)
    .where('organisation_guid', '=', organisation)
    .returning(
      (isNew ? announcing({ kind: 'draft', guid, organisation }) : sql`null`).as('announced'),
    )
    .modifyEnd(keepPlan)
    .execute();
}

/** Keeps what could not be checked of a slot's draft, for those who see its encode later. */
export async function saveCheckLimits(
  db: Db,
  slot: Pick<Slot, 'guid' | 'organisationId'>,
  limits: object,
): Promise<void> {
  await db
    .updateTable('slot')
    .set({ check_limits: JSON.stringify(limits) })
    .where('guid', '=', slot.guid)
    .where('organisation_guid', '=', slot.organisationId)
    .where('deleted_on', 'is', null)
    .execute();
}

/** Opens a slot to a client application, counting against its limit, or closes it (null). */
export async function setOpener(db: Db, slot: Slot, clientGuid: string | null): Promise<void> {
  await db
    .updateTable('slot')
    .set({ opened_by_client_guid: clientGuid })
    .where('guid', '=', slot.guid)
    .where('organisation_guid', '=', slot.organisationId)
    .execute();
}
