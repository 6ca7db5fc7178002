/**
 * The restore kit of a slot: its decoded images, encoded as they were read. A background operation makes it, and makes
 * it again once a later file has been encoded for the slave, which then refuses the older number.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { engineOf } from '@recodery/contract/features/engines';
import { Refusal } from '@recodery/contract/refusal';
import { type Family, typesOf, workflowOf } from '@recodery/contract/families/registry';
import { isSealFresh } from '@recodery/contract/families/sealing';
import type { RestoreKit } from '@recodery/contract/features/jobs/job-history';
import { newGuid } from '../config/guids.ts';
import { insertOperation, type NewOperation, operationInsert } from '../operations/operations.ts';
import { readNow } from '../postgres/read-now.ts';
import type { PendingWrite } from '../postgres/write-together.ts';
import {
  countRequestedBackground,
  findBackgroundOperation,
  requestWaitingKit,
} from '../operations/slot-operations.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import { findLastNumber, hasFormerKey } from '../organisations/devices.ts';
import { lockOrganisation } from '../organisations/organisations.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { makeRoom } from '../slots/files/replaced-files.ts';
import { findSlot, lockSlot, type Slot } from '../slots/slots.ts';
import {
  deleteStoredFile,
  listStoredFiles,
  type PastFile,
  type StoredFile,
} from '../slots/files/stored-files.ts';
import { isDamaged } from '../slots/files/damaged-files.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import type { VerifiedStorage } from '../storage/verified-storage.ts';
import { requireService, type RequestDependencies } from './decode.ts';
import { encodeRefusal, isOriginalNeeded } from './encode-rules.ts';
import { requireEntry } from './entry-checks.ts';
import { encodedBytes } from './results/result-size.ts';
import {
  type DecodeFacts,
  type EncodeRequest,
  readDecodeFacts,
  toJson,
} from './results/stored-result.ts';

/** The suffix of a restore kit's name, before the extension. */
export const restoreSuffix = '_as-read';

type Impossible = NonNullable<RestoreKit['reason']>;

/**
 * The engines that can encode the images of a read unchanged, without corrections, which may need the original file.
 * Other engines always correct.
 */
function restoreRequest(
  { connectionGuid }: Pick<Slot, 'connectionGuid'>,
  { mode, isOneImage }: DecodeFacts,
): EncodeRequest {
  return {
    kind: 'encode',
    mode,
    modified: [],
    originalFileGuid: null,
    removed: [],
    reencode: isOneImage,
    willCorrectCVN: false,
    willSkipChecksum: connectionGuid === null,
    notificationInfo: null,
  };
}

/**
 * Why a read cannot be encoded as it was read, or null. An image from Virtual Reading was not read from the vehicle.
 */
function impossibility(slot: Slot, facts: DecodeFacts): Impossible | null {
  if (facts.components.length === 0 || facts.wasOriginalFileFound) return 'NOT_READ';
  const request = restoreRequest(slot, facts);
  if (facts.isOneImage && isOriginalNeeded(facts, request.willSkipChecksum))
    return 'ORIGINAL_NEEDED';
  const refusal = encodeRefusal(facts, request, engineOf(slot.engineKind).offers);
  return refusal === null ? null : 'NOT_READ';
}

/**
 * What starts the restore kit of a read that has just been decoded, where its family and the portal's own engine allow it.
 * `trx` must be the transaction that ends the decode.
 */
export function prepareAfterDecode(
  trx: Db,
  slot: Slot,
  facts: DecodeFacts,
): readonly PendingWrite[] {
  // a backup that a utility unpacks is on the user's disk; a vendor's engine would open a separate slot
  const isUnpacked = workflowOf(slot.workflow).right === 'utility';
  const isPossible = !isUnpacked && slot.connectionGuid === null;
  return isPossible && impossibility(slot, facts) === null
    ? [operationInsert(trx, kitOperation(slot, facts, 0))]
    : [];
}

function kitOperation(slot: Slot, facts: DecodeFacts, reservedBytes: number): NewOperation {
  const { organisationId, family, workflow, connectionGuid } = slot;
  return {
    guid: newGuid(),
    organisationId,
    accountGuid: null,
    clientGuid: null,
    family,
    workflow,
    type: typesOf(family).encode,
    slotGuid: slot.guid,
    userFlow: 'E',
    contextData: null,
    request: toJson(restoreRequest(slot, facts)),
    stage: 'ENCODING',
    reservedBytes,
    connectionGuid,
    isBackground: true,
  };
}

/** Marks the restore kits among the files of a slot as deleted; the sweep deletes their bytes. Returns how many those are. */
export async function deleteRestoreKits(
  trx: Db,
  organisationId: OrganisationId,
  files: readonly PastFile[],
): Promise<number> {
  const kits = files.filter(({ role, isDeleted }) => role === 'restore' && !isDeleted);
  for (const { guid } of kits) await deleteStoredFile(trx, organisationId, guid);
  return kits.reduce((sum, { size }) => sum + size, 0);
}

const nothing = { reason: null, fileGUID: null, fileName: null } as const;
const impossible = (reason: Impossible): RestoreKit => ({
  ...nothing,
  state: 'impossible',
  reason,
});

/** The state of a slot's restore kit as its rows describe it. */
export interface RecordedKit {
  readonly kit: RestoreKit;
  /** What the storage must have for that; null: nothing. */
  readonly file: StoredFile | null;
  /** The state if the storage does not have it. */
  readonly withoutFile: RestoreKit;
}

/** Milliseconds that the state of a kit waits for the storage. */
const storageMs = 3000;

/** Whether the storage has the file with its size; true if it does not answer. */
async function isStored(
  storage: Pick<VerifiedStorage, 'head'>,
  { storageKey, size }: StoredFile,
): Promise<boolean> {
  // unknown, and the page must not depend on it
  const unknown = { size };
  const found = storage.head(storageKey).catch((error: unknown) => {
    if (error instanceof StorageUnavailable) return unknown;
    throw error;
  });
  return (await Promise.race([found, wait(storageMs, unknown, { ref: false })]))?.size === size;
}

/**
 * The state of a kit, verified in the storage. It must not be called in a transaction: a storage that does not answer
 * would keep its connection.
 */
export async function verifyKit(
  storage: Pick<VerifiedStorage, 'head'>,
  { kit, file, withoutFile }: RecordedKit,
): Promise<RestoreKit> {
  return file === null || (await isStored(storage, file)) ? kit : withoutFile;
}

/**
 * Whether the slave soon stops accepting a kit that its maker's service has sealed. Half of the time must be left: the
 * kit is written to a vehicle after its download.
 */
async function isExpiring(db: Db, family: Family, { createdOn }: StoredFile): Promise<boolean> {
  return !isSealFresh(family, createdOn, await readNow(db));
}

/** Reads the state of a slot's restore kit, apart from the storage: see {@link verifyKit}. */
export async function readRestoreKit(db: Db, slot: Slot): Promise<RecordedKit> {
  const without = (kit: RestoreKit): RecordedKit => ({ kit, file: null, withoutFile: kit });
  const { organisationId, guid, slaveDeviceGuid } = slot;
  if (slot.facts === null) return without(impossible('NOT_DECODED'));
  const facts = readDecodeFacts(slot.facts);
  const reason = impossibility(slot, facts);
  if (reason !== null) return without(impossible(reason));
  if (await hasFormerKey(db, slot)) return without(impossible('FORMER_KEY'));
  // before the files: an operation that ends in between has then stored the kit that is found
  const latest = await findBackgroundOperation(db, organisationId, guid);
  const isUnfinished = latest?.status === 'waiting' || latest?.status === 'running';
  if (isUnfinished) return without({ ...nothing, state: 'preparing' });
  const files = await listStoredFiles(db, organisationId, guid);
  const slave = slaveDeviceGuid === null ? null : await findLastNumber(db, slaveDeviceGuid);
  const newest = files.findLast(({ role }) => role === 'restore');
  const isUsable =
    newest &&
    !(await isDamaged(db, newest.storageKey)) &&
    !(await isExpiring(db, slot.family, newest));
  const file = isUsable ? newest : null;
  const stateOf = (kit: StoredFile | null): RestoreKit => {
    const named = kit && ({ reason: null, fileGUID: kit.guid, fileName: kit.name } as const);
    // a vendor's engine numbers its files itself
    const isNewest =
      kit && (kit.number === null || slave === null || kit.number >= slave.lastNumber);
    if (named && isNewest) return { state: 'ready', ...named };
    const isRead = files.some(({ role }) => role === 'read');
    const images = facts.components.map(({ fileGuid }) => fileGuid);
    if (!isRead || !images.every((image) => files.some((one) => one.guid === image)))
      return impossible('FILES_DELETED');
    if (slot.connectionGuid === null && (slave === null || slave.isRevoked))
      return impossible('DEVICE');
    if (named) return { state: 'outdated', ...named };
    return { ...nothing, state: 'missing', reason: latest?.status === 'failed' ? 'FAILED' : null };
  };
  return { kit: stateOf(file), file, withoutFile: stateOf(null) };
}

/**
 * Starts to prepare a restore kit unless the current one can be written or one is being prepared; returns the state. One
 * that waits until a worker is quiet no longer waits for that. An organisation can request as many at once as it can run
 * operations.
 */
export async function requestRestoreKit(
  deps: RequestDependencies & { readonly storage: Pick<VerifiedStorage, 'head'> },
  caller: Caller,
  slotGuid: string,
): Promise<RestoreKit> {
  const { organisationId } = caller;
  const slot = await findSlot(deps.db, organisationId, slotGuid);
  if (slot === null) throw new Refusal('NOT_FOUND');
  const { workflow, groupCode } = slot;
  requireService(await requireEntry(deps.db, caller, { workflow, choice: { groupCode } }));
  if (!(await deps.hasDiskRoom())) throw new Refusal('SERVICE_UNAVAILABLE');
  const { file } = await readRestoreKit(deps.db, slot);
  const isGone = file !== null && !(await isStored(deps.storage, file));
  return deps.db.transaction().execute(async (trx) => {
    const bytes = slot.facts === null ? 0 : encodedBytes(readDecodeFacts(slot.facts), []);
    const isFirstRequest =
      bytes > 0 && (await requestWaitingKit(trx, { ...slot, slotGuid: slot.guid }, bytes));
    const locked = await lockSlot(trx, organisationId, slot.guid);
    const recorded = await readRestoreKit(trx, locked);
    const kit = isGone && recorded.file?.guid === file.guid ? recorded.withoutFile : recorded.kit;
    if (kit.state === 'impossible') throw new Refusal('OPERATION_NOT_POSSIBLE');
    if (kit.state === 'ready' || (kit.state === 'preparing' && !isFirstRequest)) return kit;
    if (isFirstRequest) await lockOrganisation(trx, organisationId);
    else {
      const facts = readDecodeFacts(locked.facts);
      const operation = kitOperation(locked, facts, encodedBytes(facts, []));
      await insertOperation(trx, operation, Number.POSITIVE_INFINITY);
    }
    // after the organisation is locked, so that it applies to concurrent requests too
    const others = (await countRequestedBackground(trx, organisationId)) - 1;
    if (others >= deps.parallelOperations) throw new Refusal('API_ERROR_THROTTLING', []);
    // includes the space that it has just reserved
    await makeRoom(trx, organisationId, 0, deps.organisationBytes);
    return { ...nothing, state: 'preparing' };
  });
}
