/** Sends a file that was encoded before, again or for the first time: a notification of its own, and its email. */
import { Refusal } from '@recodery/contract/refusal';
import { typesOf } from '@recodery/contract/families/registry';
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import { insertMail } from '../email/emails.ts';
import { createTokenHash } from '../email/link-token.ts';
import { cleanNote } from '../email/note-rules.ts';
import type { FinishedOperation } from '../operations/operation-rules.ts';
import type { Doer } from '../organisations/caller.ts';
import { findOwnerOfSlave } from '../organisations/devices.ts';
import { findOrganisation } from '../organisations/organisations.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Slot } from '../slots/slots.ts';
import type { StoredFile } from '../slots/stored-files.ts';
import { vinHider } from '../texts/vin-rules.ts';
import { downloadEnd } from './notification-rules.ts';
import { insertNotification } from './notifications.ts';

/** What is sent to whom. */
export interface FileToShare {
  readonly sender: Doer;
  readonly slot: Slot;
  readonly file: Pick<StoredFile, 'guid' | 'name'>;
  readonly info: NonNullable<FinishedOperation['notificationInfo']>;
}

/** A file that has been sent: the GUID of its notification, and the organisation that receives it in the portal. */
export interface SharedFile {
  readonly guid: string;
  readonly receiverGuid: string | null;
}

async function readTime(trx: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(trx);
  return rows[0]?.now ?? new Date();
}

/**
 * Sends a file, by the same rules as an encode that sends its result: the limit of emails, the private flag, and a link
 * that is valid for ten days from now. Its sender knows about it, so that the notification is not new for them. `trx`
 * must be a transaction.
 * @throws {Refusal} BAD_REQUEST if no one would receive it
 */
export async function shareFile(
  deps: { readonly secrets: Pick<Secrets, 'getCurrentKey'> },
  trx: Db,
  { sender, slot, file, info }: FileToShare,
): Promise<SharedFile> {
  const { organisationId } = sender;
  const organisation = await findOrganisation(trx, organisationId);
  if (organisation === null) throw new Error(`there is no organisation ${organisationId}`);
  const { slaveDeviceGuid, family, workflow } = slot;
  const owner =
    slaveDeviceGuid === null ? null : await findOwnerOfSlave(trx, organisationId, slaveDeviceGuid);
  const receiverGuid = info.isPrivate ? null : (owner?.guid ?? null);
  if (info.email === null && receiverGuid === null) throw new Refusal('BAD_REQUEST');
  const guid = newGuid();
  const completedOn = await readTime(trx);
  const hide = vinHider(slot.vin);
  const note = cleanNote(info.message);
  const fileName = hide(file.name);
  await insertNotification(trx, {
    guid,
    senderOrganisationId: organisationId,
    senderAccountGuid: sender.accountGuid,
    senderClientGuid: sender.clientGuid,
    senderName: organisation.name,
    receiverOrganisationGuid: receiverGuid,
    receiverName: owner?.name ?? null,
    operationType: typesOf(family).encode,
    family,
    slotGuid: slot.guid,
    workflow,
    completedOn,
    isSuccessful: true,
    fileName,
    slaveSerialNumber: slot.slaveSerialNumber,
    target: { kind: 'file', fileGuid: file.guid, fileName },
    errorName: null,
    errorDetail: null,
    internalCode: null,
    isPrivate: info.isPrivate,
    note: note === null ? null : hide(note),
    isKnown: true,
  });
  if (info.email !== null) {
    const { keyId, tokenHash } = await createTokenHash(deps.secrets, guid);
    await insertMail(trx, {
      guid,
      organisationId,
      email: info.email,
      culture: owner?.culture ?? organisation.culture,
      shareKeyId: keyId,
      tokenHash,
      expiresOn: downloadEnd(completedOn),
    });
  }
  return { guid, receiverGuid };
}
