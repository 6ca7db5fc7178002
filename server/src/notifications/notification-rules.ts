/** Rules for a notification's times: where a page of the list begins, and how long its file is available. */
import { downloadDays } from '@recodery/contract/features/notifications';
import type { Doer } from '../organisations/caller.ts';

/** The role in which a viewer sees a notification. */
export type ViewerRole = 'sender' | 'receiver';

/** A user or a client application of an organisation. */
export type Viewer = Pick<Doer, 'accountGuid' | 'clientGuid'>;

/** The sender and the recipient of a notification; the recipient is null if it is private. */
export interface Concerned {
  readonly senderOrganisationId: string;
  readonly senderAccountGuid: string | null;
  readonly senderClientGuid: string | null;
  readonly receiverOrganisationGuid: string | null;
}

/**
 * The role in which a viewer sees a notification; null: not at all. Senders see their own, client applications those of
 * the work they started. What users share with their own organisation appears for their colleagues, not for themselves.
 */
export function roleOf(
  notification: Concerned,
  { organisationId, accountGuid, clientGuid }: Doer,
): ViewerRole | null {
  const { senderOrganisationId, senderAccountGuid, senderClientGuid } = notification;
  const isOfSender = organisationId === senderOrganisationId;
  const isSender =
    clientGuid === null
      ? accountGuid !== null && senderAccountGuid === accountGuid
      : senderClientGuid === clientGuid;
  if (isOfSender && isSender) return 'sender';
  const isOwn = isOfSender && senderAccountGuid === accountGuid && senderClientGuid === clientGuid;
  return notification.receiverOrganisationGuid === organisationId && !isOwn ? 'receiver' : null;
}

const dayMs = 86_400_000;

/**
 * Where a page of the list begins: after the notification of that time and guid, or, without guid, before that time.
 */
export interface Cursor {
  readonly time: Date;
  readonly guid: string | null;
}

const cursorForm =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?(?:~([0-9a-f-]{36}))?$/i;
const guidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads `to` of the list; a time without a zone is UTC, absent or empty means no limit. Null: invalid. */
export function readCursor(text: string | undefined): Cursor | 'newest' | null {
  if (text === undefined || text === '') return 'newest';
  // an unencoded plus sign arrives as a space
  const [, local, zone = 'Z', guid] = cursorForm.exec(text.replace(' ', '+')) ?? [];
  if (local === undefined) return null;
  const time = new Date(`${local}${zone.toUpperCase()}`);
  if (Number.isNaN(time.getTime()) || time.getTime() < 0) return null;
  if (guid !== undefined && !guidForm.test(guid)) return null;
  return { time, guid: guid?.toLowerCase() ?? null };
}

/** When the file of an operation that finished at `completedOn` is no longer available. */
export function downloadEnd(completedOn: Date): Date {
  return new Date(completedOn.getTime() + downloadDays * dayMs);
}
