/**
 * Owns the table notification: one row for each finished operation, and for each file that was sent later, visible to its
 * sender and its recipient.
 */
import type { Family, OperationType, Workflow } from '@recodery/contract/families/registry';
import { sql } from 'kysely';
import { type Doer, mintOrganisationId, type OrganisationId } from '../organisations/caller.ts';
import { announcing, notify } from '../postgres/announce.ts';
import type { FinishedTarget } from '../operations/operation-rules.ts';
import { readOperationType } from '../operations/operation-row.ts';
import type { MailWay } from '../email/smtp.ts';
import { buildOnce } from '../postgres/build-once.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';
import { type EmailNews, type MailFailure, type MailStatus, revokeMail } from '../email/emails.ts';
import { sharesWith } from './find-sharer.ts';
import { roleOf, type Viewer, type ViewerRole } from './notification-rules.ts';

/** A notification to record. Names and serial numbers are copies. */
export interface NewNotification {
  /** The operation's; of a file that is sent later, its own. */
  readonly guid: string;
  readonly senderOrganisationId: OrganisationId;
  readonly senderAccountGuid: string | null;
  readonly senderClientGuid: string | null;
  readonly senderName: string;
  /** The organisation that also sees it under its bell; null when it is private. */
  readonly receiverOrganisationGuid: string | null;
  readonly receiverName: string | null;
  readonly operationType: OperationType;
  readonly family: Family;
  readonly slotGuid: string;
  readonly workflow: Workflow;
  readonly completedOn: Date;
  readonly isSuccessful: boolean;
  readonly fileName: string;
  readonly slaveSerialNumber: string | null;
  readonly target: FinishedTarget | null;
  readonly errorName: string | null;
  readonly errorDetail: string | null;
  readonly internalCode: string | null;
  readonly isPrivate: boolean;
  readonly note: string | null;
  /** Its sender has just caused it, and knows it: it is not new for them. Absent: false. */
  readonly isKnown?: boolean;
}

/** The status of the email. */
export interface MailState {
  readonly email: string;
  readonly status: MailStatus;
  readonly failure: MailFailure | null;
  readonly sentOn: Date | null;
  /** How it was sent; null if it was not sent, or this was not recorded. */
  readonly way: MailWay | null;
  readonly firstDownloadOn: Date | null;
}

/** A notification as one viewer sees it. */
export interface SeenNotification extends NewNotification {
  readonly role: ViewerRole;
  readonly isRevoked: boolean;
  /** Whether the job of its operation still exists. */
  readonly hasJob: boolean;
  /** When its recipient downloaded the file in the portal for the first time. */
  readonly receivedOn: Date | null;
  readonly senderNotifiedOn: Date | null;
  readonly senderInteractedOn: Date | null;
  readonly receiverNotifiedOn: Date | null;
  readonly receiverInteractedOn: Date | null;
  readonly mail: MailState | null;
}

/** The columns that identify sender and recipient. */
const concerned = ['guid', 'sender_organisation_guid', 'receiver_organisation_guid'] as const;

/** The statement that inserts a notification, and announces it to its sender and recipient. */
export function notificationInsert(trx: Db, row: NewNotification) {
  const { senderOrganisationId: sender, receiverOrganisationGuid: receiver } = row;
  const concerned = [...new Set([sender, receiver])].filter((one) => one !== null);
  return trx
    .insertInto('notification')
    .values({
      guid: row.guid,
      sender_organisation_guid: row.senderOrganisationId,
      sender_account_guid: row.senderAccountGuid,
      sender_client_guid: row.senderClientGuid,
      sender_name: row.senderName,
      receiver_organisation_guid: row.receiverOrganisationGuid,
      receiver_name: row.receiverName,
      operation_type: row.operationType,
      family: row.family,
      slot_guid: row.slotGuid,
      workflow: row.workflow,
      completed_on: row.completedOn,
      is_successful: row.isSuccessful,
      file_name: row.fileName,
      slave_serial_number: row.slaveSerialNumber,
      target: row.target?.kind ?? null,
      target_file_guid: row.target?.fileGuid ?? null,
      target_file_name: row.target?.fileName ?? null,
      error_name: row.errorName,
      error_detail: row.errorDetail,
      internal_code: row.internalCode,
      is_private: row.isPrivate,
      note: row.note,
      sender_notified_on: row.isKnown === true ? sql`now()` : null,
      sender_interacted_on: row.isKnown === true ? sql`now()` : null,
    })
    .returning(
      concerned.map((organisation, place) =>
        announcing({ kind: 'notification', guid: row.guid, organisation }).as(`announced${place}`),
      ),
    );
}

/** Announces to the streams of sender and recipient that a notification is new or has changed. */
export async function announceNotification(
  trx: Db,
  row: Pick<Database['notification'], (typeof concerned)[number]>,
): Promise<void> {
  const { sender_organisation_guid: sender, receiver_organisation_guid: receiver } = row;
  for (const organisation of new Set([sender, receiver])) {
    if (organisation !== null)
      await notify(trx, { kind: 'notification', guid: row.guid, organisation });
  }
}

/** The columns that {@link readRow} reads: a plan that is kept must name them. */
const columns = [
  'notification.guid',
  'notification.sender_organisation_guid',
  'notification.sender_account_guid',
  'notification.sender_client_guid',
  'notification.sender_name',
  'notification.receiver_organisation_guid',
  'notification.receiver_name',
  'notification.operation_type',
  'notification.family',
  'notification.slot_guid',
  'notification.workflow',
  'notification.completed_on',
  'notification.is_successful',
  'notification.file_name',
  'notification.slave_serial_number',
  'notification.target',
  'notification.target_file_guid',
  'notification.target_file_name',
  'notification.error_name',
  'notification.error_detail',
  'notification.internal_code',
  'notification.is_private',
  'notification.note',
  'notification.revoked_on',
  'notification.received_on',
  'notification.sender_notified_on',
  'notification.sender_interacted_on',
  'notification.receiver_notified_on',
  'notification.receiver_interacted_on',
] as const;

function withMail(db: Db) {
  return db
    .selectFrom('notification')
    .leftJoin('mail', 'mail.guid', 'notification.guid')
    .select(columns)
    .select(
      // not `exists`, for which the planner may read all slots once instead of one for each row
      sql<boolean>`coalesce((
        select slot.deleted_on is null from slot where slot.guid = notification.slot_guid
          and slot.organisation_guid = notification.sender_organisation_guid), false)`.as(
        'has_job',
      ),
    )
    .select([
      'mail.email',
      'mail.status as mail_status',
      'mail.failure as mail_failure',
      'mail.sent_on',
      'mail.way as mail_way',
      'mail.first_download_on',
    ]);
}

/** The query for what a viewer sees in a role. */
export function seen(db: Db, viewer: Doer, role: ViewerRole) {
  return withMail(db).where(isSeenAs(viewer, role));
}

/** The condition for what a viewer sees in a role, as {@link roleOf}: as the recipient, not what they sent themselves. */
function isSeenAs({ organisationId, accountGuid, clientGuid }: Doer, role: ViewerRole) {
  if (role === 'receiver')
    return sql<boolean>`receiver_organisation_guid = ${organisationId}
      and (sender_organisation_guid, sender_account_guid, sender_client_guid)
        is distinct from (${organisationId}::uuid, ${accountGuid}::uuid, ${clientGuid}::uuid)`;
  const isOwn =
    clientGuid === null
      ? sql`sender_account_guid = ${accountGuid}`
      : sql`sender_client_guid = ${clientGuid}`;
  return sql<boolean>`sender_organisation_guid = ${organisationId} and ${isOwn}`;
}

type Row = Awaited<ReturnType<ReturnType<typeof seen>['executeTakeFirstOrThrow']>>;

function readTarget(row: Row): FinishedTarget | null {
  if (row.target === null) return null;
  const { target: kind, target_file_guid: fileGuid, target_file_name: fileName } = row;
  return { kind, fileGuid, fileName: fileName ?? '' };
}

function readMail(row: Row): MailState | null {
  if (row.email === null || row.mail_status === null) return null;
  return {
    email: row.email,
    status: row.revoked_on === null ? row.mail_status : 'revoked',
    failure: row.mail_failure,
    sentOn: row.sent_on,
    way: row.mail_way,
    firstDownloadOn: row.first_download_on,
  };
}

/** Reads a row of {@link seen}. */
export function readRow(row: Row, role: ViewerRole): SeenNotification {
  return {
    role,
    guid: row.guid,
    senderOrganisationId: mintOrganisationId(row.sender_organisation_guid),
    senderAccountGuid: row.sender_account_guid,
    senderClientGuid: row.sender_client_guid,
    senderName: row.sender_name,
    receiverOrganisationGuid: row.receiver_organisation_guid,
    receiverName: row.receiver_name,
    operationType: readOperationType(row.operation_type),
    family: row.family,
    slotGuid: row.slot_guid,
    workflow: row.workflow,
    completedOn: row.completed_on,
    isSuccessful: row.is_successful,
    fileName: row.file_name,
    slaveSerialNumber: row.slave_serial_number,
    target: readTarget(row),
    errorName: row.error_name,
    errorDetail: row.error_detail,
    internalCode: row.internal_code,
    isPrivate: row.is_private,
    note: row.note,
    isRevoked: row.revoked_on !== null,
    hasJob: row.has_job,
    receivedOn: row.received_on,
    senderNotifiedOn: row.sender_notified_on,
    senderInteractedOn: row.sender_interacted_on,
    receiverNotifiedOn: row.receiver_notified_on,
    receiverInteractedOn: row.receiver_interacted_on,
    mail: readMail(row),
  };
}

const selectNotification = buildOnce((db: Db, organisationId: OrganisationId, guid: string) =>
  withMail(db)
    .modifyFront(keepPlan)
    .where('notification.guid', '=', guid)
    .where(({ eb, or }) =>
      or([
        eb('sender_organisation_guid', '=', organisationId),
        eb('receiver_organisation_guid', '=', organisationId),
      ]),
    ),
);

/** A notification that an organisation has sent or received, for each of its viewers in their role. */
export async function findNotification(
  db: Db,
  organisationId: OrganisationId,
  guid: string,
): Promise<((viewer: Viewer) => SeenNotification | null) | null> {
  const [row] = await selectNotification(db, organisationId, guid);
  if (row === undefined) return null;
  const views = { sender: readRow(row, 'sender'), receiver: readRow(row, 'receiver') };
  return (viewer) => {
    const role = roleOf(views.sender, { ...viewer, organisationId });
    return role === null ? null : views[role];
  };
}

/** The possible marks: that it was shown, or that its viewer has acted on it. */
export type NotificationMark = 'read' | 'interacted';

const markColumns = {
  sender: { read: 'sender_notified_on', interacted: 'sender_interacted_on' },
  receiver: { read: 'receiver_notified_on', interacted: 'receiver_interacted_on' },
} as const;

/**
 * Marks a notification, and keeps an existing mark. Acting on it also marks it as shown. False: it is not the viewer's.
 */
export async function markNotification(
  db: Db,
  viewer: Doer,
  guid: string,
  mark: NotificationMark,
  role: ViewerRole,
): Promise<boolean> {
  const columns = markColumns[role];
  const marked = mark === 'read' ? [columns.read] : [columns.read, columns.interacted];
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('notification')
      .select([...concerned, columns[mark]])
      .where('guid', '=', guid)
      .where(isSeenAs(viewer, role))
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return false;
    if (row[columns[mark]] !== null) return true;
    const now = Object.fromEntries(
      marked.map((column) => [column, sql`coalesce(${sql.ref(column)}, now())`]),
    );
    await trx.updateTable('notification').set(now).where('guid', '=', row.guid).execute();
    await announceNotification(trx, row);
    return true;
  });
}

/**
 * Withdraws what the viewer has shared: the link in an email, and the download in the recipient's notifications.
 * Idempotent. False when it is not the viewer's, or nothing was shared.
 */
export async function revokeShareOf(db: Db, viewer: Doer, guid: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('notification')
      .select([...concerned, 'revoked_on'])
      .select(({ exists, selectFrom }) =>
        exists(selectFrom('mail').select('mail.guid').where('mail.guid', '=', guid)).as(
          'is_mailed',
        ),
      )
      .where('guid', '=', guid)
      .where(isSeenAs(viewer, 'sender'))
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return false;
    if (!row.is_mailed && row.receiver_organisation_guid === null) return false;
    if (row.revoked_on !== null) return true;
    await trx
      .updateTable('notification')
      .set({ revoked_on: sql`now()` })
      .where('guid', '=', row.guid)
      .execute();
    await revokeMail(trx, row.guid);
    await announceNotification(trx, row);
    return true;
  });
}

/**
 * Records that an organisation has downloaded a shared file for the first time, in the notifications through which it can;
 * their senders are told.
 */
export async function noteReceived(
  db: Db,
  receiver: OrganisationId,
  fileGuid: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const rows = await trx
      .updateTable('notification')
      .set({ received_on: sql`now()` })
      .where(sharesWith(receiver, fileGuid))
      .where('received_on', 'is', null)
      .returning(concerned)
      .execute();
    for (const row of rows) await announceNotification(trx, row);
  });
}

/** Marks a notification as new again for its sender, who must learn about a failure. */
async function raiseAgain(trx: Db, guid: string): Promise<void> {
  const row = await trx
    .updateTable('notification')
    .set({ sender_notified_on: null, sender_interacted_on: null })
    .where('guid', '=', guid)
    .returning(concerned)
    .executeTakeFirst();
  if (row !== undefined) await announceNotification(trx, row);
}

/** Announces to the sender's streams that a notification has changed, for example because its email was sent. */
async function announceChange(trx: Db, guid: string): Promise<void> {
  const row = await trx
    .selectFrom('notification')
    .select(concerned)
    .where('guid', '=', guid)
    .executeTakeFirst();
  if (row !== undefined) await announceNotification(trx, row);
}

/** The status of an email that its sender sees in their notification. */
export const emailNews: EmailNews = { changed: announceChange, failed: raiseAgain };
