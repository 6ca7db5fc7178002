/** What a notification is to who looks at it: new, told of, to be downloaded, to be taken back. Pure. */
import { badgeCap, downloadDays, type Notification } from '@recodery/contract/notifications';

const dayMs = 86_400_000;

/** Tells a notification from all others; who works under two customer codes may see one guid from either side. */
export function keyOf({ guid, isReceived }: Pick<Notification, 'guid' | 'isReceived'>): string {
  return `${guid}.${isReceived ? 'received' : 'sent'}`;
}

/** Whether the user has not acted on it yet: such rows are highlighted and counted in the badge. */
export function isNew(seen: Notification): boolean {
  return (seen.isReceived ? seen.receiverInteractedOn : seen.senderInteractedOn) === null;
}

/** Whether it has not been shown yet: then a toast tells of it, once. */
export function isUntold(seen: Notification): boolean {
  return (seen.isReceived ? seen.receiverNotifiedOn : seen.senderNotifiedOn) === null;
}

/** The number in the badge. */
export function badgeCount(notifications: readonly Notification[]): number {
  return Math.min(badgeCap, notifications.filter(isNew).length);
}

/** Whether the file can be had: there is an address, and ten days have not passed. */
export function canDownload(
  { targetURL, completedOn }: Pick<Notification, 'targetURL' | 'completedOn'>,
  now: Date,
): boolean {
  return targetURL !== null && now.getTime() - Date.parse(completedOn) < downloadDays * dayMs;
}

/** Whether there is a link to take back: the mail's, as long as it leads to something. */
export function canRevoke(seen: Notification, now: Date): boolean {
  const { isSent, mail } = seen;
  return isSent && mail !== null && mail.status !== 'revoked' && canDownload(seen, now);
}

/**
 * Which way something went; null where it stayed here. The answer's `isSent` only tells whose bell it is, as the API
 * promises: true of every operation of one's own, also of a decode. The mark shows more than that: the file was sent to
 * somebody, by email or into the bell of another organization. A mail that waits, failed or is kept in the outbox has not
 * left.
 */
export function directionOf({
  isReceived,
  isPrivate,
  mail,
  otherOrganizationName,
}: Pick<Notification, 'isReceived' | 'isPrivate' | 'mail' | 'otherOrganizationName'>):
  | 'received'
  | 'sent'
  | null {
  if (isReceived) return 'received';
  const isShared = !isPrivate && otherOrganizationName !== null;
  return isShared || (mail !== null && hasLeft(mail)) ? 'sent' : null;
}

/** Whether a mail server has taken the mail. */
function hasLeft({ status, way }: NonNullable<Notification['mail']>): boolean {
  return (status === 'sent' || status === 'revoked') && way !== 'outbox';
}

/** Whether it was sent for the recipient alone. An operation that was sent to no one is private as well, but needs no mark. */
export function isPrivatelySent({ isPrivate, mail }: Pick<Notification, 'isPrivate' | 'mail'>) {
  return isPrivate && mail !== null;
}

/** The long message without the error's name at its end, which is told in words instead; line by line. */
export function detailLines({
  longMessage,
  errorCode,
}: Pick<Notification, 'longMessage' | 'errorCode'>): readonly string[] {
  const [first = '', ...rest] = (longMessage ?? '').split('\n');
  const end = errorCode === null ? '' : ` · ${errorCode}`;
  const bare = end !== '' && first.endsWith(end) ? first.slice(0, -end.length) : first;
  return [bare, ...rest].filter((line) => line !== '' && line !== errorCode);
}
