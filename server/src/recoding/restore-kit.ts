/**
 * The restore kit of a slot: its decoded images, encoded as they were read. A background operation makes it, and makes
 * it again once a later file has been encoded for the slave, which then refuses the older number.
 */
import { offersByKind } from '@recodery/contract/features/engines';
import { Refusal } from '@recodery/contract/refusal';
import { typesOf, workflowOf } from '@recodery/contract/families/registry';
import type { RestoreKit } from '@recodery/contract/features/job-history';
import { newGuid } from '../config/guids.ts';
import { insertOperation } from '../operations/operations.ts';
import {
  countRequestedBackground,
  findBackgroundOperation,
} from '../operations/slot-operations.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import { findLastNumber } from '../organisations/devices.ts';
import { notify } from '../postgres/announce.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { makeRoom } from '../slots/replaced-files.ts';
import { findSlot, lockSlot, type Slot } from '../slots/slots.ts';
import { deleteStoredFile, listStoredFiles, type StoredFile } from '../slots/stored-files.ts';
import { isDamaged } from '../slots/damaged-files.ts';
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
  const refusal = encodeRefusal(facts, request, offersByKind[slot.engineKind]);
  return refusal === null ? null : 'NOT_READ';
}

/**
 * Prepares the restore kit of a read that has just been decoded, where its family and the portal's own engine allow it.
 * `trx` must be the transaction that ends the decode.
 */
export async function prepareAfterDecode(trx: Db, slot: Slot, facts: DecodeFacts): Promise<void> {
  // a backup that a utility unpacks is on the user's disk; a vendor's engine would open a separate slot
  const isUnpacked = workflowOf(slot.workflow).right === 'utility';
  const isPossible = !isUnpacked && slot.connectionGuid === null;
  if (isPossible && impossibility(slot, facts) === null) await insertKit(trx, slot, facts, 0);
}

async function insertKit(
  trx: Db,
  slot: Slot,
  facts: DecodeFacts,
  reservedBytes: number,
): Promise<void> {
  const { organisationId, family, workflow, connectionGuid } = slot;
  const guid = newGuid();
  await insertOperation(
    trx,
    {
      guid,
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
    },
    Number.POSITIVE_INFINITY,
  );
  await notify(trx, { kind: 'operation-due', guid, organisation: organisationId });
}

/** Marks the earlier restore kits of a slot as deleted; the sweep deletes their bytes. */
export async function deleteRestoreKits(
  trx: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<void> {
  const files = await listStoredFiles(trx, organisationId, slotGuid);
  for (const { guid } of files.filter(({ role }) => role === 'restore'))
    await deleteStoredFile(trx, organisationId, guid);
}

const nothing = { reason: null, fileGUID: null, fileName: null } as const;
const without = (reason: Impossible): RestoreKit => ({ ...nothing, state: 'impossible', reason });

export interface RestoreKitDependencies {
  readonly db: Db;
  readonly storage: Pick<VerifiedStorage, 'head'>;
}

/** Whether the storage has the file with its size, and no one has found it damaged. */
async function isWhole(
  { db, storage }: RestoreKitDependencies,
  { storageKey, size }: StoredFile,
): Promise<boolean> {
  if (await isDamaged(db, storageKey)) return false;
  const found = await storage.head(storageKey).catch((error: unknown) => {
    // unknown, and the page must not depend on it
    if (error instanceof StorageUnavailable) return { size };
    throw error;
  });
  return found?.size === size;
}

/** The state of a slot's restore kit. */
export async function readRestoreKit(
  { db, storage }: RestoreKitDependencies,
  slot: Slot,
): Promise<RestoreKit> {
  const { organisationId, guid } = slot;
  if (slot.facts === null) return without('NOT_DECODED');
  const facts = readDecodeFacts(slot.facts);
  const reason = impossibility(slot, facts);
  if (reason !== null) return without(reason);
  // before the files: an operation that ends in between has then stored the kit that is found
  const latest = await findBackgroundOperation(db, organisationId, guid);
  const isUnfinished = latest?.status === 'waiting' || latest?.status === 'running';
  if (isUnfinished) return { ...nothing, state: 'preparing' };
  const files = await listStoredFiles(db, organisationId, guid);
  const { slaveDeviceGuid } = slot;
  const slave = slaveDeviceGuid === null ? null : await findLastNumber(db, slaveDeviceGuid);
  const newest = files.findLast(({ role }) => role === 'restore');
  const kit = newest && (await isWhole({ db, storage }, newest)) ? newest : undefined;
  const file = kit && { fileGUID: kit.guid, fileName: kit.name };
  // a vendor's engine numbers its files itself
  const isNewest = kit && (kit.number === null || slave === null || kit.number >= slave.lastNumber);
  if (file && isNewest) return { state: 'ready', reason: null, ...file };
  const isRead = files.some(({ role }) => role === 'read');
  const images = facts.components.map(({ fileGuid }) => fileGuid);
  if (!isRead || !images.every((image) => files.some((one) => one.guid === image)))
    return without('FILES_DELETED');
  if (slot.connectionGuid === null && (slave === null || slave.isRevoked)) return without('DEVICE');
  if (file) return { state: 'outdated', reason: null, ...file };
  return { ...nothing, state: 'missing', reason: latest?.status === 'failed' ? 'FAILED' : null };
}

/**
 * Starts to prepare a restore kit unless the current one can be written or one is being prepared; returns the state. An
 * organisation can request as many at once as it can run operations.
 */
export async function requestRestoreKit(
  deps: RequestDependencies & RestoreKitDependencies,
  caller: Caller,
  slotGuid: string,
): Promise<RestoreKit> {
  const { organisationId } = caller;
  const slot = await findSlot(deps.db, organisationId, slotGuid);
  if (slot === null) throw new Refusal('NOT_FOUND');
  const { workflow, groupCode } = slot;
  await requireEntry(deps.db, caller, { workflow, choice: { groupCode } });
  await requireService(deps);
  if (!(await deps.hasDiskRoom())) throw new Refusal('SERVICE_UNAVAILABLE');
  return deps.db.transaction().execute(async (trx) => {
    const locked = await lockSlot(trx, organisationId, slot.guid);
    const kit = await readRestoreKit({ db: trx, storage: deps.storage }, locked);
    if (kit.state === 'impossible') throw new Refusal('OPERATION_NOT_POSSIBLE');
    if (kit.state === 'ready' || kit.state === 'preparing') return kit;
    const facts = readDecodeFacts(locked.facts);
    await insertKit(trx, locked, facts, encodedBytes(facts, []));
    // after the organisation is locked, so that it applies to concurrent requests too
    const others = (await countRequestedBackground(trx, organisationId)) - 1;
    if (others >= deps.parallelOperations) throw new Refusal('API_ERROR_THROTTLING', []);
    // includes the space that it has just reserved
    await makeRoom(trx, organisationId, 0, deps.organisationBytes);
    return { ...nothing, state: 'preparing' };
  });
}
