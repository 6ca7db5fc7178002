/** What became of a file after it was made: to whom it was sent, who downloaded it, and whether it is outdated. */
import type { JobFile } from '@recodery/contract/features/jobs/jobs';
import type { FileDownload, Sending } from '@recodery/contract/features/jobs/job-history';
import { timeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { LongText } from '../../../ui/display/long-text.tsx';
import { downloadText, sendingTexts } from '../../sending/sending-texts.ts';

/** Downloads that are shown at once; the others are folded away. */
const shownDownloads = 3;

export interface FileHistoryProps {
  readonly file: Pick<
    JobFile,
    | 'role'
    | 'sendings'
    | 'downloads'
    | 'downloadCount'
    | 'isOutdated'
    | 'hasFormerKey'
    | 'expiresOn'
    | 'canSealAgain'
    | 'sealedAgain'
    | 'replacedOn'
    | 'replacedBy'
    | 'madeRoom'
  >;
  readonly now: Date;
}

/** Whether someone outside of the organisation has downloaded it. */
function isReceived({ kind }: FileDownload): boolean {
  return kind === 'organisation' || kind === 'link';
}

/** Whether a recipient can have it: an email that the operator still has to send was not sent to anyone. */
function hasArrived({ status, way }: Sending): boolean {
  return status === 'shared' || (status === 'sent' && way !== 'outbox');
}

function Sendings({ file, now }: FileHistoryProps) {
  const { t } = useTexts();
  const { sendings = [], downloads = [], downloadCount = 0 } = file;
  const isAwaited =
    sendings.some(hasArrived) &&
    // the list may be shortened
    downloadCount <= downloads.length &&
    !downloads.some(isReceived);
  return (
    <>
      {sendings.map((sending) =>
        sendingTexts(t, sending, now).map((text) => (
          <p
            key={`${sending.notificationGUID} ${text}`}
            className={sending.status === 'failed' ? 'text-bad' : ''}
          >
            <LongText>
              {[text, sending.userDisplayName].filter((word) => word !== null).join(' · ')}
            </LongText>
          </p>
        )),
      )}
      {isAwaited && <p className="text-ink-3">{t('job.sending.notReceived')}</p>}
    </>
  );
}

function Downloads({ file: { downloads = [], downloadCount = 0 }, now }: FileHistoryProps) {
  const { t } = useTexts();
  const line = (download: FileDownload, index: number) => (
    <li key={index}>
      <LongText>{downloadText(t, download, now)}</LongText>
    </li>
  );
  if (downloads.length === 0) return null;
  return (
    <>
      <ul>{downloads.slice(0, shownDownloads).map(line)}</ul>
      {downloads.length > shownDownloads && (
        <details>
          <summary className="cursor-pointer">
            {t('job.download.all', { count: downloadCount })}
          </summary>
          <ul>{downloads.slice(shownDownloads).map(line)}</ul>
        </details>
      )}
    </>
  );
}

/** Until when the slave accepts a file that its maker's service has sealed. */
function Limit({ file: { expiresOn, canSealAgain }, now }: FileHistoryProps) {
  const { t, language } = useTexts();
  if (!expiresOn) return null;
  if (new Date(expiresOn) <= now)
    return (
      <p className="text-modified">{t(canSealAgain === true ? 'job.sealOld' : 'job.expired')}</p>
    );
  return <p>{t('job.writeBefore', { time: timeText(expiresOn, now, language) })}</p>;
}

/** Nothing for reads and ID files: only what users work with. */
export function FileHistory(props: FileHistoryProps) {
  const { t, language } = useTexts();
  const { role, isOutdated, hasFormerKey, sealedAgain, replacedOn, replacedBy, madeRoom } =
    props.file;
  if (role === 'read' || role === 'id') return null;
  return (
    <>
      {(hasFormerKey === true || isOutdated === true) && (
        <p className="text-modified">{t(hasFormerKey === true ? 'job.formerKey' : 'job.older')}</p>
      )}
      {sealedAgain && (
        <p>
          <LongText>
            {sealedAgain.name === null
              ? t('job.sealedAgainNoName')
              : t('job.sealedAgain', { by: sealedAgain.name })}
          </LongText>
        </p>
      )}
      <Limit {...props} />
      {replacedOn && (
        <p>
          <LongText>
            {t('job.replaced', {
              facts: [timeText(replacedOn, props.now, language), replacedBy]
                .filter(Boolean)
                .join(' · '),
            })}
          </LongText>
        </p>
      )}
      {madeRoom === true && <p>{t('job.madeRoom')}</p>}
      <Sendings {...props} />
      <Downloads {...props} />
    </>
  );
}
