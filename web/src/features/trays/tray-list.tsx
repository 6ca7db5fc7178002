/** The user's trays, newest first: each with its name, or its date and the number of its reads. */
import type { TraySummary } from '@recodery/contract/features/trays';
import Layers from 'lucide-react/icons/layers';
import { timeText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Icon } from '../../ui/display/icon.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { TextLink } from '../../ui/actions/text-link.tsx';
import { trayName } from './tray-title.ts';

export interface TrayListProps {
  readonly trays: readonly TraySummary[];
  readonly now: Date;
}

/** What the name does not say: date and size of a named tray, the first file of another. */
function aboutOf(
  { t, language }: ReturnType<typeof useTexts>,
  { name, firstFileName, createdOn, fileCount }: TraySummary,
  now: Date,
): string {
  if (name !== null)
    return t('tray.list.line', { time: timeText(createdOn, now, language), count: fileCount });
  return firstFileName === null ? '' : t('tray.list.first', { file: firstFileName });
}

export function TrayList({ trays, now }: TrayListProps) {
  const texts = useTexts();
  const { t } = texts;
  if (trays.length === 0) {
    return (
      <Panel>
        <EmptyState icon={Layers} title={t('tray.list.none')}>
          {t('tray.list.invitation')}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel>
      <ul>
        {trays.map((tray) => (
          <li
            key={tray.guid}
            className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-line py-3 not-first:border-t"
          >
            <Icon of={Layers} size={20} className="shrink-0 text-ink-2" />
            <span className="min-w-0 flex-[1_1_14rem] font-medium">
              <TextLink href={`/trays/${tray.guid}`}>
                <LongText>{trayName(texts, tray)}</LongText>
              </TextLink>
            </span>
            <span className="text-sm text-ink-2 max-sm:w-full max-sm:pl-8">
              {aboutOf(texts, tray, now)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
