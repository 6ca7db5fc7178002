/** Says when the same read was decoded before, and offers that job; loaded after the read is decoded. */
import { listEarlierReads } from '@recodery/contract/features/jobs/jobs';
import { useQuery } from '@tanstack/react-query';
import History from 'lucide-react/icons/history';
import { jobPath } from '../../../api/job-path.ts';
import { call } from '../../../api/call.ts';
import { trueTime } from '../../../api/server-clock.ts';
import { timeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Icon } from '../../../ui/display/icon.tsx';
import { useNews } from '../flow/news.ts';
import { TextLink } from '../../../ui/actions/text-link.tsx';

export interface DecodedBeforeProps {
  readonly slotGUID: string;
  /** Whether nothing has followed the decode yet: later steps do not announce it again. */
  readonly isNews: boolean;
}

export function DecodedBefore({ slotGUID, isNews }: DecodedBeforeProps) {
  const { t, language } = useTexts();
  // without a response, nothing is offered
  const { data: jobs = [], dataUpdatedAt } = useQuery({
    // keys that begin with `code` belong to the customer code and are removed with it
    queryKey: ['code', 'earlier-reads', slotGUID],
    queryFn: ({ signal }) => call(listEarlierReads, { params: { slotGUID } }, { signal }),
  });
  const [newest] = jobs;
  const time = newest && timeText(newest.createdOn, trueTime(dataUpdatedAt), language);
  const name = newest?.userDisplayName ?? null;
  const before =
    newest &&
    (name === null ? t('recoding.before', { time }) : t('recoding.beforeBy', { time, name }));
  useNews(isNews && before ? before : null);
  if (newest === undefined) return null;
  const { encodedFiles } = newest;
  return (
    <p className="mt-4 flex items-start gap-2.5 text-md text-ink-2">
      <Icon of={History} className="mt-px text-accent" />
      <span>
        {before} {encodedFiles > 0 && `${t('recoding.beforeEncoded', { files: encodedFiles })} `}
        <TextLink href={jobPath(newest.slotGUID)}>{t('recoding.beforeOpen')}</TextLink>
      </span>
    </p>
  );
}
