/**
 * Seals an encoded file again for a later download, from the images that its maker's service was given first. A background
 * operation does it, at most one at a time for each file; each result is a file of its own, with its own receipt.
 */
import { typesOf } from '@recodery/contract/families/registry';
import { Refusal } from '@recodery/contract/refusal';
import type { SealingState } from '@recodery/contract/features/recoding/file-sealing';
import type { Kysely } from 'kysely';
import { newGuid } from '../../config/guids.ts';
import { insertOperation } from '../../operations/operations.ts';
import { countRequestedBackground, findEncodeOf } from '../../operations/slot-operations.ts';
import type { Database, Db } from '../../postgres/tables/schema.ts';
import {
  firstDeliveryOf,
  isPausedForLinks,
  listPlainImages,
  type PlainImage,
  readSealing,
} from '../../slots/files/deliveries.ts';
import { makeRoom } from '../../slots/files/replaced-files.ts';
import type { StoredFile } from '../../slots/files/stored-files.ts';
import type { Downloader } from '../../slots/sending/downloads.ts';
import { lockSlot, type Slot } from '../../slots/slots.ts';
import { type RequestDependencies, requireService } from '../decode.ts';
import { encodedBytes } from '../results/result-size.ts';
import {
  type EncodeRequest,
  readEncodeFacts,
  readEncodeRequest,
  toJson,
} from '../results/stored-result.ts';

export interface SealDependencies extends Omit<RequestDependencies, 'db'> {
  readonly db: Kysely<Database>;
  /** Whether the operator has suspended the service. */
  isSuspended(): Promise<boolean>;
}

async function needsSealing(
  db: Db,
  file: StoredFile,
  { state }: SealingState,
  { way }: Downloader,
): Promise<boolean> {
  if (state === 'failed') return way !== 'link' || !(await isPausedForLinks(db, file));
  return state === 'due';
}

/**
 * Starts to seal a file again, unless its newest delivery can be written, or it is being sealed; returns the state. An
 * organisation can have as many requested background operations as it can run operations. `onStart` runs in the transaction that starts it.
 * @throws {Refusal} SERVICE_UNAVAILABLE, API_ERROR_THROTTLING, STORAGE_QUOTA_REACHED
 */
export async function requestSealing(
  deps: SealDependencies,
  file: StoredFile,
  by: Downloader,
  onStart?: (trx: Db) => Promise<void>,
): Promise<SealingState> {
  const found = await readSealing(deps.db, file);
  if (!(await needsSealing(deps.db, file, found, by))) return found;
  requireService({ isSuspended: await deps.isSuspended() });
  if (!(await deps.hasDiskRoom())) throw new Refusal('SERVICE_UNAVAILABLE');
  return deps.db.transaction().execute(async (trx) => {
    const { organisationId } = file;
    const slot = await lockSlot(trx, organisationId, file.slotGuid);
    const current = await readSealing(trx, file);
    if (!(await needsSealing(trx, file, current, by))) return current;
    await startSealing(trx, slot, file, by);
    await onStart?.(trx);
    // after the organisation is locked, so that it applies to concurrent requests too
    const others = (await countRequestedBackground(trx, organisationId)) - 1;
    if (others >= deps.parallelOperations) throw new Refusal('API_ERROR_THROTTLING', []);
    // includes the space that it has just reserved
    await makeRoom(trx, organisationId, 0, deps.organisationBytes);
    return { ...current, state: 'sealing', isWaiting: false, reason: null, detail: null };
  });
}

async function startSealing(trx: Db, slot: Slot, file: StoredFile, by: Downloader): Promise<void> {
  const { organisationId, family, workflow, connectionGuid } = slot;
  const plain = await listPlainImages(trx, file);
  const doer = by.way === 'own' ? by.doer : { organisationId, accountGuid: null, clientGuid: null };
  const operation = {
    guid: newGuid(),
    ...doer,
    organisationId,
    family,
    workflow,
    type: typesOf(family).encode,
    slotGuid: slot.guid,
    userFlow: 'E',
    contextData: null,
    request: toJson(await writeRequest(trx, slot, file, plain, by)),
    stage: 'ENCODING',
    reservedBytes: encodedBytes({ components: [] }, plain),
    connectionGuid,
    isBackground: true,
  } as const;
  await insertOperation(trx, operation, Number.POSITIVE_INFINITY);
}

/** The request of the encode, with what its result was sealed from. */
async function writeRequest(
  trx: Db,
  slot: Slot,
  file: StoredFile,
  plain: readonly PlainImage[],
  by: Downloader,
): Promise<EncodeRequest> {
  const first = firstDeliveryOf(file);
  const encode = await findEncodeOf(trx, slot.organisationId, slot.guid, first);
  if (encode === null) throw new Error(`no operation has made the file ${first}`);
  const { corrections = [] } = readEncodeFacts(encode.result);
  return {
    ...readEncodeRequest(encode.request),
    notificationInfo: null,
    sealsAgain: {
      fileGuid: first,
      plain: plain.map(({ component, fileGuid }) => ({ component, fileGuid })),
      corrections,
      way: by.way,
      organisationGuid: by.way === 'received' ? by.organisationId : null,
      notificationGuid: by.way === 'link' ? by.notificationGuid : null,
    },
  };
}
