/** The state of a notification for the current user: new, shown, downloadable, revocable. Pure. */
import {
  badgeCap,
  downloadDays,
  type Notification,
} from '@recodery/contract/features/notifications';

const dayMs = 86_400_000;

/** A unique key for a notification; a user with two customer codes may see the same GUID from both sides. */
export function keyOf({ guid, isReceived }: Pick<Notification, 'guid' | 'isReceived'>): string {
  return `${guid}.${isReceived ? 'received' : 'sent'}`;
}

/** Whether the user has not acted on it yet: such rows are highlighted and counted in the badge. */
export function isNew(seen: Notification): boolean {
  return (seen.isReceived ? seen.receiverInteractedOn : seen.senderInteractedOn) === null;
}

/** Whether it has not been shown yet: then a toast shows it, once. */
export function isUnshown(seen: Notification): boolean {
  return (seen.isReceived ? seen.receiverNotifiedOn : seen.senderNotifiedOn) === null;
}

/** The number in the badge: new notifications, and other news. */
export function badgeCount(notifications: readonly Notification[], others = 0): number {
  return Math.min(badgeCap, notifications.filter(isNew).length + others);
}

/** Whether the file can be downloaded: it has an address, and ten days have not passed. */
export function canDownload(
  { targetURL, completedOn }: Pick<Notification, 'targetURL' | 'completedOn'>,
  now: Date,
): boolean {
  return targetURL !== null && now.getTime() - Date.parse(completedOn) < downloadDays * dayMs;
}

/** Whether there is a link to withdraw: the email's link, while its file is still available. */
export function canRevoke(seen: Notification, now: Date): boolean {
  const { isSent, mail } = seen;
  return isSent && mail !== null && mail.status !== 'revoked' && canDownload(seen, now);
}

/**
 * The direction in which something was sent; null if it was not sent. The response's `isSent` only shows whose bell it
 * is in, as the API promises: it is true for every operation of the user, including decodes. The icon shows more: the
 * file was sent to someone, by email or to the bell of another organisation. An email that is waiting, failed or in the
 * outbox has not left.
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

/** Whether a mail server has accepted the email. */
function hasLeft({ status, way }: NonNullable<Notification['mail']>): boolean {
  return (status === 'sent' || status === 'revoked') && way !== 'outbox';
}

/**
 * Whether it was sent to the recipient only. An operation that was not sent to anyone is private too, but needs no
 * icon.
 */
export function isPrivatelySent({ isPrivate, mail }: Pick<Notification, 'isPrivate' | 'mail'>) {
  return isPrivate && mail !== null;
}

/** The lines of the long message without the error name at its end, which is shown as text instead. */
export function detailLines({
  longMessage,
  errorCode,
}: Pick<Notification, 'longMessage' | 'errorCode'>): readonly string[] {
  const [first = '', ...rest] = (longMessage ?? '').split('\n');
  const end = errorCode === null ? '' : ` · ${errorCode}`;
  const bare = end !== '' && first.endsWith(end) ? first.slice(0, -end.length) : first;
  return [bare, ...rest].filter((line) => line !== '' && line !== errorCode);
}
