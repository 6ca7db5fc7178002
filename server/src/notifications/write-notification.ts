/** Writes a notification with what it sends: the recipient's copy, the email, and the time for which its job stays. */
import { insertMail } from '../email/emails.ts';
import { createTokenHash } from '../email/link-token.ts';
import { cleanNote } from '../email/note-rules.ts';
import type { FinishedOperation } from '../operations/operation-rules.ts';
import type { Doer } from '../organisations/caller.ts';
import type { Organisation } from '../organisations/organisations.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { type PendingRows, writeTogether } from '../postgres/write-together.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { keepUntil } from '../slots/job-marks.ts';
import type { Slot } from '../slots/slots.ts';
import { vinHider } from '../texts/vin-rules.ts';
import { downloadEnd } from './notification-rules.ts';
import { type NewNotification, notificationInsert } from './notifications.ts';

export interface WriteDependencies {
  readonly secrets: Pick<Secrets, 'getCurrentKey'>;
  /** Days that jobs are kept if the organisation has not chosen. */
  readonly retentionDays: number;
}

/** What a notification is about. Its texts may still contain the VIN. */
export interface Notice
  extends Pick<
      NewNotification,
      | 'guid'
      | 'operationType'
      | 'family'
      | 'slotGuid'
      | 'workflow'
      | 'completedOn'
      | 'isSuccessful'
      | 'errorName'
      | 'errorDetail'
      | 'internalCode'
      | 'isKnown'
    >,
    FinishedOperation {
  readonly doer: Doer;
  /** Null: it was deleted meanwhile. */
  readonly slot: Slot | null;
  readonly sender: Organisation;
  /** The workshop that receives the file; recorded, because the slave may change owners later. Null: unknown. */
  readonly owner: Organisation | null;
}

/** A statement that is sent together with a notification, for the organisation that receives its file in the portal. */
export type Following<R> = (receiverGuid: string | null) => PendingRows<R>;

/**
 * Writes a notification; returns the organisation that receives its file in the portal, and the rows of `following`. The
 * job of a file that is sent stays at least as long as the file is available to its recipient. `trx` must be a transaction.
 */
export async function writeNotification<R = never>(
  deps: WriteDependencies,
  trx: Db,
  notice: Notice,
  following?: Following<R>,
): Promise<{ readonly receiverGuid: string | null; readonly rows: readonly R[] }> {
  const { doer, slot, sender, owner, notificationInfo: info, guid, completedOn } = notice;
  const { organisationId } = doer;
  const isPrivate = info?.isPrivate ?? true;
  const email = info?.email ?? null;
  const isSent = notice.isEncode && notice.isSuccessful && (!isPrivate || email !== null);
  const receiverGuid = isSent && !isPrivate ? (owner?.guid ?? null) : null;
  const insert = notificationInsert(trx, {
    ...describe(notice, isSent),
    senderName: sender.name,
    receiverOrganisationGuid: receiverGuid,
    isPrivate,
  });
  const rows = following ? await writeTogether(trx, [insert], following(receiverGuid)) : [];
  if (!following) await insert.execute();
  const expiresOn = downloadEnd(completedOn);
  if (slot !== null && isSent) await keepUntil(trx, slot, expiresOn, deps.retentionDays);
  if (isSent && email !== null) {
    const { keyId, tokenHash } = await createTokenHash(deps.secrets, guid);
    await insertMail(trx, {
      guid,
      organisationId,
      email,
      culture: owner?.culture ?? sender.culture,
      shareKeyId: keyId,
      tokenHash,
      expiresOn,
    });
  }
  return { receiverGuid, rows };
}

/**
 * What the row copies from elsewhere. The VIN is hidden once, here: everything that reports on the operation later reads
 * this row.
 */
function describe(notice: Notice, isSent: boolean) {
  const {
    doer,
    slot,
    sender: _,
    owner,
    target,
    notificationInfo: info,
    isEncode,
    ...facts
  } = notice;
  const hide = vinHider(slot?.vin ?? null);
  const hideIn = (text: string | null) => (text === null ? null : hide(text));
  const name = isEncode && target !== null ? target.fileName : (slot?.readFileName ?? '');
  return {
    ...facts,
    senderOrganisationId: doer.organisationId,
    senderAccountGuid: doer.accountGuid,
    senderClientGuid: doer.clientGuid,
    receiverName: isSent ? (owner?.name ?? null) : null,
    fileName: hide(name),
    slaveSerialNumber: slot?.slaveSerialNumber ?? null,
    target: target === null ? null : { ...target, fileName: hide(target.fileName) },
    errorDetail: hideIn(facts.errorDetail),
    note: hideIn(isSent ? cleanNote(info?.message ?? null) : null),
  };
}
