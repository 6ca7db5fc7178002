/** Says when the same read was decoded before, and offers that job; loaded after the read is decoded. */
import { listEarlierReads } from '@recodery/contract/features/jobs';
import { useQuery } from '@tanstack/react-query';
import History from 'lucide-react/icons/history';
import { call } from '../../../api/call.ts';
import { trueTime } from '../../../api/server-clock.ts';
import { timeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Icon } from '../../../ui/icon.tsx';
import { TextLink } from '../../../ui/text-link.tsx';

export interface DecodedBeforeProps {
  readonly slotGUID: string;
}

export function DecodedBefore({ slotGUID }: DecodedBeforeProps) {
  const { t } = useTexts();
  // without a response, nothing is offered
  const { data: jobs = [], dataUpdatedAt } = useQuery({
    // keys that begin with `code` belong to the customer code and are removed with it
    queryKey: ['code', 'earlier-reads', slotGUID],
    queryFn: ({ signal }) => call(listEarlierReads, { params: { slotGUID } }, { signal }),
  });
  const [newest] = jobs;
  if (newest === undefined) return null;
  const time = timeText(newest.createdOn, trueTime(dataUpdatedAt));
  const { userDisplayName: name, encodedFiles } = newest;
  return (
    <p role="status" className="mt-4 flex items-start gap-2.5 text-md text-ink-2">
      <Icon of={History} className="mt-px text-accent" />
      <span>
        {name === null ? t('recoding.before', { time }) : t('recoding.beforeBy', { time, name })}{' '}
        {encodedFiles > 0 && `${t('recoding.beforeEncoded', { files: encodedFiles })} `}
        <TextLink href={`/jobs/${newest.slotGUID}`}>{t('recoding.beforeOpen')}</TextLink>
      </span>
    </p>
  );
}
