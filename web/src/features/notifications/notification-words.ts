/** The texts and colors of a notification, in addition to the server's message. */
import type { Notification } from '@recodery/contract/features/notifications';
import { jobPath } from '../../api/job-path.ts';
import { operationProblem, type Problem } from '../../i18n/problems.ts';
import type { TextKey, TextOf } from '../../i18n/texts.ts';
import type { BadgeState } from '../../ui/display/badge.tsx';

/** What failed, what to do, and the code; null if nothing failed. */
export function problemOfNotification(
  t: TextOf,
  {
    errorCode,
    errorCause,
    errorDetail,
  }: Pick<Notification, 'errorCode' | 'errorCause' | 'errorDetail'>,
): Problem | null {
  if (errorCode === null) return null;
  const error = { errorName: errorCode, cause: errorCause, detail: errorDetail };
  return operationProblem(t, error);
}

/** The page of the job of a notification; null for its recipient, and if the job was deleted. */
export function jobAddress({ slotGUID }: Pick<Notification, 'slotGUID'>): string | null {
  return slotGUID == null ? null : jobPath(slotGUID);
}

type Mail = NonNullable<Notification['mail']>;

interface MailLook {
  readonly text: TextKey;
  readonly state: BadgeState;
}

const looks: Readonly<Record<Mail['status'], MailLook>> = {
  waiting: { text: 'notifications.mail.waiting', state: 'neutral' },
  sent: { text: 'notifications.mail.sent', state: 'good' },
  failed: { text: 'notifications.mail.failed', state: 'bad' },
  revoked: { text: 'notifications.mail.revoked', state: 'removed' },
};

/** The result of an operation, and whether the requested email has left. `open`: it has not left yet. */
export function outcomeLook({ isSuccessful, mail }: Pick<Notification, 'isSuccessful' | 'mail'>): {
  readonly text: TextKey;
  readonly state: 'good' | 'bad' | 'open';
} {
  if (!isSuccessful) return { text: 'notifications.failed', state: 'bad' };
  const look = mail && mailLook(mail);
  if (look?.state === 'bad') return { text: look.text, state: 'bad' };
  if (look?.state === 'neutral') return { text: look.text, state: 'open' };
  return { text: 'notifications.successful', state: 'good' };
}

/** A short text for the email's status; an email in the outbox has not been sent. */
export function mailLook({ status, way }: Pick<Mail, 'status' | 'way'>): MailLook {
  return status === 'sent' && way === 'outbox'
    ? { text: 'notifications.mail.outbox', state: 'neutral' }
    : looks[status];
}
