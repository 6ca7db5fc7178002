/** Starts encodes: which files they can use, and the row from which a worker encodes. */
import { engineOf } from '@recodery/contract/features/engines';
import type { RefusalCode } from '@recodery/contract/errors';
import { type Family, type RecodErrorName, typesOf } from '@recodery/contract/families/registry';
import { doFilesExpire } from '@recodery/contract/families/sealing';
import { Refusal } from '@recodery/contract/refusal';
import type { FaultDetails } from '@recodery/contract/features/operations';
import { insertOperation, refuseWhenFull } from '../operations/operations.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import { lockUsage, type Usage } from '../organisations/usage.ts';
import { isGuid, newGuid } from '../config/guids.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { findReplacement, makeRoom } from '../slots/files/replaced-files.ts';
import { findSlot, lockSlot, type Slot } from '../slots/slots.ts';
import { findStoredFile, type StoredFile } from '../slots/files/stored-files.ts';
import { requireFlags, requireService, type RequestDependencies, type Respond } from './decode.ts';
import { encodeRefusal } from './encode-rules.ts';
import { type DraftPlace, partOf } from './drafts/draft-rules.ts';
import { type CheckedEntry, requireEntry } from './entry-checks.ts';
import { encodedBytes } from './results/result-size.ts';
import {
  type DecodeFacts,
  type EncodeRequest,
  readDecodeFacts,
  toJson,
} from './results/stored-result.ts';

/** The caller's encode request; files are named by the guids that the caller sent. */
export interface EncodeAsk extends Omit<EncodeRequest, 'kind' | 'mode'> {
  readonly family: Family;
  readonly slotGuid: string;
  readonly contextData: string | null;
  /** The data that a client application attached, and the URL that receives the result; absent: nothing. */
  readonly userInfo?: string | null;
  readonly callbackUrl?: string | null;
  /** The base address under which a client application calls the Encoding API; absent: the portal's own API. */
  readonly baseAddress?: string | null;
  /** Whether a tray starts it; absent: false. */
  readonly isFromTray?: boolean;
  /** The call encodes one image and components alike; absent: only one of them. */
  readonly takesAnyRead?: boolean;
}

/** A decoded slot of the caller, with the results of the decode. */
export async function requireDecodedSlot(
  db: Db,
  organisationId: OrganisationId,
  family: Family,
  slotGuid: string,
): Promise<{ readonly slot: Slot; readonly facts: DecodeFacts }> {
  const slot = await findSlot(db, organisationId, slotGuid);
  if (slot === null || slot.family !== family) throw new Refusal('NOT_FOUND');
  if (slot.facts === null) throw new Refusal('OPERATION_NOT_POSSIBLE');
  return { slot, facts: readDecodeFacts(slot.facts) };
}

/** Starts an encode. Rights, quota and the read's requirements are checked first; a refused encode writes nothing. */
export async function requestEncode<T>(
  deps: RequestDependencies,
  caller: Caller,
  ask: EncodeAsk,
  respond: Respond<T>,
): Promise<T> {
  const { organisationId, accountGuid, clientGuid } = caller;
  const { slotGuid, contextData, userInfo, callbackUrl, baseAddress, ...chosen } = ask;
  const { family, isFromTray: isOfTray = false, takesAnyRead = false, ...options } = chosen;
  const { slot, facts } = await requireDecodedSlot(deps.db, organisationId, family, slotGuid);
  const { usage: early } = await requireRights(deps, caller, ask, slot);
  const request = {
    ...options,
    kind: 'encode',
    mode: facts.mode,
    // components without a file are taken from the read in any case
    reencode: ask.reencode && (facts.isOneImage || !takesAnyRead),
    // a removed component needs no modified image
    modified: ask.modified.filter(({ component }) => !ask.removed.includes(component)),
  } as const;
  const refusal = encodeRefusal(facts, request, engineOf(slot.engineKind).offers);
  if (refusal !== null) throw new Refusal(refusal, detailsOf(refusal));
  await requirePlace(deps, caller, { family, isOfTray }, early);
  const guid = newGuid();
  return deps.db.transaction().execute(async (trx) => {
    await lockSlot(trx, organisationId, slot.guid);
    // making room takes the same lock, so files named here cannot be deleted before it is released
    const usage = await lockUsage(trx, organisationId);
    const files = await requireFiles(trx, organisationId, slot, request);
    // a file that expires is stored with the images that it is sealed from
    const copies = doFilesExpire(family) ? 2 : 1;
    const reservedBytes = copies * encodedBytes(facts, files);
    const operation = await insertOperation(
      trx,
      {
        guid,
        organisationId,
        accountGuid,
        clientGuid,
        family,
        isOfTray,
        workflow: slot.workflow,
        type: typesOf(family).encode,
        slotGuid: slot.guid,
        userFlow: 'E',
        contextData,
        userInfo: userInfo ?? null,
        callbackUrl: callbackUrl ?? null,
        baseAddress: baseAddress ?? null,
        request: toJson(request),
        stage: 'ENCODING',
        reservedBytes,
        connectionGuid: slot.connectionGuid,
      },
      deps.parallelOperations,
      usage,
    );
    await makeRoom(trx, organisationId, reservedBytes, deps.organisationBytes, usage);
    return respond(trx, operation);
  });
}

/** Refuses while the organisation's quota of operations or the disk is full. */
async function requirePlace(
  deps: RequestDependencies,
  caller: Caller,
  wanted: Parameters<typeof refuseWhenFull>[2],
  usage: Usage,
): Promise<void> {
  await refuseWhenFull(deps.db, caller, wanted, deps.parallelOperations, usage);
  if (!(await deps.hasDiskRoom())) throw new Refusal('SERVICE_UNAVAILABLE');
}

/** The details of a refusal: no file has been checked yet, so the list of incompatible files is missing. */
function detailsOf(refusal: RefusalCode | RecodErrorName): FaultDetails | undefined {
  return refusal === 'FILE_NOT_COMPATIBLE_WITH_READ_FILE'
    ? { detail: null, cause: 'ORI_MISSING', sizes: null }
    : undefined;
}

async function requireRights(
  deps: RequestDependencies,
  caller: Caller,
  ask: EncodeAsk,
  slot: Slot,
): Promise<CheckedEntry> {
  const choice = { groupCode: slot.groupCode };
  const entry = await requireEntry(deps.db, caller, { workflow: slot.workflow, choice });
  requireFlags(caller, {
    skipChecksum: ask.willSkipChecksum,
    autoSend: ask.notificationInfo !== null,
  });
  requireService(entry);
  return entry;
}

/** The modified images of an encode; refuses files that were not uploaded to this slot for the named purpose. */
async function requireFiles(
  db: Db,
  organisationId: OrganisationId,
  slot: Slot,
  ask: Pick<EncodeAsk, 'modified' | 'originalFileGuid'>,
): Promise<readonly StoredFile[]> {
  const wanted = [
    ...ask.modified.map(
      ({ component, fileGuid }) => ({ fileGuid, role: 'modified', component }) as const,
    ),
    ...(ask.originalFileGuid === null
      ? []
      : [{ fileGuid: ask.originalFileGuid, role: 'original', component: 'obd' } as const]),
  ];
  const modified: StoredFile[] = [];
  for (const { fileGuid, role, component } of wanted) {
    const file = await findStoredFile(db, organisationId, fileGuid);
    const isIt = file?.slotGuid === slot.guid && file.role === role && file.component === component;
    if (!isIt) throw await missingFile(db, slot, { fileGuid, role, component });
    if (role === 'modified') modified.push(file);
  }
  return modified;
}

/** The refusal of a file that does not exist: FILE_REPLACED with who replaced it, where that is known. */
async function missingFile(
  db: Db,
  { guid, family, organisationId }: Slot,
  { fileGuid, ...place }: DraftPlace & { readonly fileGuid: string },
): Promise<Refusal> {
  const found = isGuid(fileGuid) ? await findReplacement(db, organisationId, fileGuid) : null;
  const isIt =
    found?.slotGuid === guid && found.role === place.role && found.component === place.component;
  if (!isIt) return new Refusal('NOT_FOUND');
  const { name, replacedOn, replacedBy } = found;
  const part = partOf(family, place);
  return new Refusal('FILE_REPLACED', {
    part,
    name,
    replacedOn: replacedOn.toISOString(),
    replacedBy,
  });
}
