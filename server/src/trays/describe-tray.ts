/** Describes a tray as calls return it: each file with its operations, its decoded images and its draft. */
import { describeOperationType } from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/features/operations';
import { findFreshEnd, findSealEnd } from '@recodery/contract/families/sealing';
import { checkLimits } from '@recodery/contract/features/recoding/preflight';
import type { Tray, TrayFile } from '@recodery/contract/features/trays';
import { listOperationsOfSlots } from '../operations/operations.ts';
import { type OperationRow, trayPlaces } from '../operations/operation-rules.ts';
import { readAs } from '../operations/routes.ts';
import type { Caller, Doer, OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { readSnapshot } from '../postgres/snapshot.ts';
import { describeDraft } from '../recoding/drafts/draft.ts';
import { describeFinished } from '../recoding/results/finished-operation.ts';
import { findSlots, type Slot } from '../slots/slots.ts';
import { firstDeliveryOf, listSealTimes } from '../slots/files/deliveries.ts';
import { listFilesOfSlots, type StoredFile } from '../slots/files/stored-files.ts';
import { listTrayFiles, type TrayFileRow } from './tray-files.ts';
import type { TrayRow } from './trays.ts';

export interface DescribeTrayDependencies {
  readonly db: Db;
  /** Operations that an organisation can run at once. */
  readonly parallelOperations: number;
  /** The current record of an operation, for a response. */
  presentOperation(operation: OperationRow, bearer?: Doer): Promise<Operation>;
}

/** A file of a tray with the available data of its slot. */
export interface TraySlot {
  readonly file: TrayFileRow;
  /** Null before the upload, and after the slot has been deleted. */
  readonly slot: Slot | null;
  /** Oldest first. */
  readonly operations: readonly OperationRow[];
  /** In the order in which they were recorded. */
  readonly files: readonly StoredFile[];
  /** When its encoded files were sealed, by GUID, if their maker's service has done it. */
  readonly sealTimes: ReadonlyMap<string, string>;
}

/** The files of a tray with their slots, in the order in which they were added. */
export function readTraySlots(
  db: Db,
  organisationId: OrganisationId,
  trayGuid: string,
): Promise<readonly TraySlot[]> {
  return readSnapshot(db, async (snapshot) => {
    const files = await listTrayFiles(snapshot, organisationId, trayGuid);
    const guids = files.flatMap(({ slotGuid }) => slotGuid ?? []);
    const slots = await findSlots(snapshot, organisationId, guids);
    const operations = await listOperationsOfSlots(snapshot, organisationId, guids);
    const stored = await listFilesOfSlots(snapshot, organisationId, guids);
    const sealTimes = await listSealTimes(snapshot, organisationId, guids);
    const operationsOf = Map.groupBy(operations, ({ slotGuid }) => slotGuid);
    const storedOf = Map.groupBy(stored, ({ slotGuid }) => slotGuid);
    return files.map((file) => ({
      file,
      slot: slots.find(({ guid }) => guid === file.slotGuid) ?? null,
      operations: operationsOf.get(file.slotGuid ?? '') ?? [],
      files: storedOf.get(file.slotGuid ?? '') ?? [],
      sealTimes,
    }));
  });
}

/** The encodes among operations. */
export function encodesIn(operations: readonly OperationRow[]): readonly OperationRow[] {
  return operations.filter(({ type }) => !describeOperationType(type).isDecode);
}

/** The newest delivery of the newest encode of a slot that succeeded; null: there is none. */
export function findDelivered({ operations, files }: TraySlot): StoredFile | null {
  const encode = encodesIn(operations).findLast(({ status }) => status === 'succeeded');
  const guid = encode === undefined ? null : describeFinished(encode).target?.fileGuid;
  return (
    files.findLast((file) => file.role === 'encoded' && firstDeliveryOf(file) === guid) ?? null
  );
}

/** When the file that a zip of the tray contains was sealed, and how long it can be written; null: it does not expire. */
function describeSeal(one: TraySlot): TrayFile['sealing'] {
  const delivery = findDelivered(one);
  const sealedOn = delivery === null ? undefined : one.sealTimes.get(delivery.guid);
  if (one.slot === null || sealedOn === undefined) return null;
  const { family } = one.slot;
  const freshUntil = findFreshEnd(family, new Date(sealedOn))?.toISOString();
  const expiresOn = findSealEnd(family, new Date(sealedOn))?.toISOString();
  return freshUntil && expiresOn ? { sealedOn, freshUntil, expiresOn } : null;
}

/** A tray with the current state of its files, as the caller sees it. */
export async function describeTray(
  deps: DescribeTrayDependencies,
  caller: Caller,
  { guid, name, createdOn }: TrayRow,
): Promise<Tray> {
  const slots = await readTraySlots(deps.db, caller.organisationId, guid);
  return {
    guid,
    name,
    createdOn: createdOn.toISOString(),
    parallelOperations: trayPlaces(deps.parallelOperations),
    files: await Promise.all(slots.map((one) => describeFile(deps, caller, one))),
  };
}

async function describeFile(
  { presentOperation }: DescribeTrayDependencies,
  caller: Caller,
  one: TraySlot,
): Promise<TrayFile> {
  const { file, slot, operations, files } = one;
  const decode = operations.find(({ guid }) => guid === file.operationGuid);
  const encode = encodesIn(operations).at(-1);
  const present = (row: OperationRow | undefined) =>
    row === undefined ? null : presentOperation(readAs(caller, row), caller);
  const { guid, name, size, sha256, workflow, errorName, slotGuid } = file;
  return {
    guid,
    name,
    size,
    sha256,
    workflow,
    error: errorName,
    slotGUID: slotGuid,
    isDouble: slot?.isDouble ?? false,
    decode: await present(decode),
    encode: await present(encode),
    sealing: describeSeal(one),
    images: files
      .filter(({ role }) => role === 'decoded')
      .map((image) => ({ name: image.name, size: image.size, sha256: image.sha256 })),
    draft: slot === null || slot.facts === null ? null : describeDraft(slot, files),
    // a portal of another version may have written it
    limits: checkLimits.safeParse(slot?.checkLimits).data ?? null,
  };
}
