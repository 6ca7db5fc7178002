/** An encode is asked for: what it may use, and the row from which a worker encodes. */
import { type RecodErrorName, Refusal, type RefusalCode } from '@recodery/contract/errors';
import type { ComponentName } from '@recodery/contract/families/family';
import { type Family, typesOf } from '@recodery/contract/families/registry';
import type { FaultDetails } from '@recodery/contract/operations';
import type { Kysely } from 'kysely';
import type { OperationRow } from '../operations/operation-rules.ts';
import { insertOperation, refuseWhenFull } from '../operations/operations.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import { notify } from '../postgres/announce.ts';
import { newGuid } from '../config/guids.ts';
import type { Database } from '../postgres/schema.ts';
import { findSlot, lockSlot, type Slot } from '../slots/slots.ts';
import { findStoredFile } from '../slots/stored-files.ts';
import { demandFlags, demandService, type RequestDependencies } from './decode.ts';
import { encodeRefusal } from './encode-rules.ts';
import { demandEntry } from './entry.ts';
import { type DecodeFacts, type NotificationInfo, readDecodeFacts, toJson } from './outcome.ts';

/** What a caller asks of an encode; names of files are guids as the caller sent them. */
export interface EncodeAsk {
  readonly family: Family;
  readonly slotGuid: string;
  readonly modified: readonly { readonly component: ComponentName; readonly fileGuid: string }[];
  readonly originalFileGuid: string | null;
  readonly removed: readonly ComponentName[];
  /** No modified image: the decoded one is encoded again. */
  readonly reencode: boolean;
  readonly willCorrectCVN: boolean;
  readonly willSkipChecksum: boolean;
  readonly contextData: string | null;
  readonly notificationInfo: NotificationInfo | null;
}

/** A slot of the caller's that has been decoded, with what the decode found. */
export async function demandDecodedSlot(
  db: Kysely<Database>,
  organisationId: OrganisationId,
  family: Family,
  slotGuid: string,
): Promise<{ readonly slot: Slot; readonly facts: DecodeFacts }> {
  const slot = await findSlot(db, organisationId, slotGuid);
  if (slot === null || slot.family !== family) throw new Refusal('NOT_FOUND');
  if (slot.facts === null) throw new Refusal('OPERATION_NOT_POSSIBLE');
  return { slot, facts: readDecodeFacts(slot.facts) };
}

/** Starts an encode: rights, quota and what the read needs are asked first; nothing is written when it is refused. */
export async function requestEncode(
  deps: RequestDependencies,
  caller: Caller,
  ask: EncodeAsk,
): Promise<OperationRow> {
  const { organisationId, accountGuid } = caller;
  const { family } = ask;
  const { slot, facts } = await demandDecodedSlot(deps.db, organisationId, family, ask.slotGuid);
  await demandRights(deps, caller, ask, slot);
  const request = {
    kind: 'encode',
    mode: facts.mode,
    ...chosen(ask),
  } as const;
  const refusal = encodeRefusal(facts, request);
  if (refusal !== null) throw new Refusal(refusal, detailsOf(refusal));
  await refuseWhenFull(deps.db, caller, family, deps.parallelOperations);
  if (!(await deps.hasDiskRoom())) throw new Refusal('SERVICE_UNAVAILABLE');
  const guid = newGuid();
  return deps.db.transaction().execute(async (trx) => {
    // under the lock that replacing an image takes: what is named here is not deleted meanwhile
    await lockSlot(trx, organisationId, slot.guid);
    await demandFiles(trx, organisationId, slot, request);
    const operation = await insertOperation(
      trx,
      {
        guid,
        organisationId,
        accountGuid,
        family,
        workflow: slot.workflow,
        type: typesOf(family).encode,
        slotGuid: slot.guid,
        userFlow: 'E',
        contextData: ask.contextData,
        request: toJson(request),
        stage: 'ENCODING',
      },
      deps.parallelOperations,
    );
    await notify(trx, { kind: 'operation-due', guid, organisation: organisationId });
    return operation;
  });
}

/** What is known of a refusal beside its name: no file was checked yet, so what is not compatible is missing. */
function detailsOf(refusal: RefusalCode | RecodErrorName): FaultDetails | undefined {
  return refusal === 'FILE_NOT_COMPATIBLE_WITH_READ_FILE'
    ? { detail: null, cause: 'ORI_MISSING', sizes: null }
    : undefined;
}

/** What of the ask stands in the row; a component that is removed needs no modified image. */
function chosen(ask: EncodeAsk) {
  const { originalFileGuid, removed, reencode } = ask;
  const { willCorrectCVN, willSkipChecksum, notificationInfo } = ask;
  const modified = ask.modified.filter(({ component }) => !removed.includes(component));
  return {
    modified,
    originalFileGuid,
    removed,
    reencode,
    willCorrectCVN,
    willSkipChecksum,
    notificationInfo,
  };
}

async function demandRights(
  deps: RequestDependencies,
  caller: Caller,
  ask: EncodeAsk,
  slot: Slot,
): Promise<void> {
  const choice = { groupCode: slot.groupCode };
  await demandEntry(deps.db, caller, { workflow: slot.workflow, choice });
  await demandFlags(caller, {
    skipChecksum: ask.willSkipChecksum,
    autoSend: ask.notificationInfo !== null,
  });
  await demandService(deps);
}

/** Every file that is named must be one of this slot, uploaded for just that. */
async function demandFiles(
  db: Kysely<Database>,
  organisationId: OrganisationId,
  slot: Slot,
  ask: Pick<EncodeAsk, 'modified' | 'originalFileGuid'>,
): Promise<void> {
  const wanted = [
    ...ask.modified.map(({ component, fileGuid }) => ({ fileGuid, role: 'modified', component })),
    ...(ask.originalFileGuid === null
      ? []
      : [{ fileGuid: ask.originalFileGuid, role: 'original', component: 'obd' }]),
  ];
  for (const { fileGuid, role, component } of wanted) {
    const file = await findStoredFile(db, organisationId, fileGuid);
    const isIt = file?.slotGuid === slot.guid && file.role === role && file.component === component;
    if (!isIt) throw new Refusal('NOT_FOUND');
  }
}
