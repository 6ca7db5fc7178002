/** What became of a sending, and who downloaded a file, in words. */
import type { FileDownload, Sending } from '@recodery/contract/features/jobs/job-history';
import { emailsPerDay } from '@recodery/contract/features/notifications';
import { timeText } from '../../i18n/formats.ts';
import { currentLanguage, type TextKey, type TextOf } from '../../i18n/texts.ts';

/** The text about the email of a sending that was not withdrawn. */
function mailText(t: TextOf, email: string, { status, failure, way, sentOn }: Sending, now: Date) {
  if (status === 'failed')
    return t(`job.sending.${failure ?? 'undeliverable'}`, { email, count: emailsPerDay });
  if (status !== 'sent') return t('job.sending.waiting', { email });
  return way === 'outbox'
    ? t('job.sending.outbox', { email })
    : t('job.sending.sent', { email, time: timeText(sentOn ?? '', now, currentLanguage()) });
}

/** One line for the email, and one for the organisation that the file is shared with in the portal. */
export function sendingTexts(t: TextOf, sending: Sending, now: Date): readonly string[] {
  const { email, organisationName: organization, status, requestedOn } = sending;
  if (status === 'revoked')
    return [t('job.sending.revoked', { whom: email ?? organization ?? '' })];
  return [
    ...(email === null ? [] : [mailText(t, email, sending, now)]),
    ...(organization === null
      ? []
      : [
          t('job.sending.shared', {
            organization,
            time: timeText(requestedOn, now, currentLanguage()),
          }),
        ]),
  ];
}

const downloadKeys = {
  user: 'job.download.user',
  program: 'job.download.program',
  organisation: 'job.download.organisation',
  link: 'job.download.link',
} as const satisfies Record<FileDownload['kind'], TextKey>;

/** Who downloaded a file, and when. */
export function downloadText(
  t: TextOf,
  { kind, name, downloadedOn }: FileDownload,
  now: Date,
): string {
  const time = timeText(downloadedOn, now, currentLanguage());
  return name === null
    ? t('job.download.unknown', { time })
    : t(downloadKeys[kind], { name, time });
}
