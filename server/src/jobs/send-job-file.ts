/** Sends an encoded file of a job, after it was tested, or to another address. */
import type { Sending } from '@recodery/contract/features/jobs/job-history';
import { Refusal } from '@recodery/contract/refusal';
import type { Kysely } from 'kysely';
import type { KeepAnswer } from '../http/requests/idempotency.ts';
import type { FinishedOperation } from '../operations/operation-rules.ts';
import { findMaker } from '../operations/slot-operations.ts';
import type { Caller, Doer } from '../organisations/caller.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';
import { requireFlags } from '../recoding/decode.ts';
import { requireEntry } from '../recoding/entry-checks.ts';
import { findSlot, lockSlot, type Slot } from '../slots/slots.ts';
import { findStoredFile, type StoredFile } from '../slots/files/stored-files.ts';
import { readSendings } from './sendings.ts';

type Recipient = NonNullable<FinishedOperation['notificationInfo']>;

export interface SendDependencies {
  readonly db: Kysely<Database>;
  /** Writes the notification and its email; returns the notification's GUID and the receiving organisation's. */
  shareFile(
    trx: Db,
    sending: {
      readonly sender: Doer;
      readonly slot: Slot;
      readonly file: StoredFile;
      readonly info: Recipient;
    },
  ): Promise<{ readonly guid: string; readonly receiverGuid: string | null }>;
  /** Tells the endpoints of the organisation that receives the file of an operation. */
  tellReceiver(trx: Db, operationGuid: string, receiverGuid: string): Promise<void>;
}

/** Which file a caller sends to whom. */
export interface SendAsk {
  readonly slotGUID: string;
  readonly fileGUID: string;
  readonly recipient: Recipient | null;
}

/**
 * Sends a file and returns what became of it so far. The rights are those of an encode that sends its result.
 * @throws {Refusal} NOT_FOUND if it is not an encoded file of that job
 */
export async function sendJobFile(
  deps: SendDependencies,
  caller: Caller,
  { slotGUID, fileGUID, recipient }: SendAsk,
  keep: KeepAnswer,
): Promise<Sending> {
  const { organisationId } = caller;
  const slot = await findSlot(deps.db, organisationId, slotGUID);
  if (slot === null) throw new Refusal('NOT_FOUND');
  const { workflow, groupCode } = slot;
  await requireEntry(deps.db, caller, { workflow, choice: { groupCode } });
  requireFlags(caller, { autoSend: true });
  if (recipient === null) throw new Refusal('BAD_REQUEST');
  return deps.db.transaction().execute(async (trx) => {
    const locked = await lockSlot(trx, organisationId, slot.guid);
    const file = await findStoredFile(trx, organisationId, fileGUID);
    if (file?.slotGuid !== locked.guid || file.role !== 'encoded') throw new Refusal('NOT_FOUND');
    const ask = { sender: caller, slot: locked, file, info: recipient };
    const { guid, receiverGuid } = await deps.shareFile(trx, ask);
    const maker = await findMaker(trx, organisationId, locked.guid, file.guid);
    // users of the own organisation have the file already
    const isOther = receiverGuid !== null && receiverGuid !== organisationId;
    if (isOther && maker !== null) await deps.tellReceiver(trx, maker, receiverGuid);
    const sendings = await readSendings(trx, organisationId, locked.guid);
    const sent = sendings.get(file.guid)?.find((one) => one.notificationGUID === guid);
    if (sent === undefined) throw new Error(`${guid} was not written`);
    await keep(trx, sent);
    return sent;
  });
}
