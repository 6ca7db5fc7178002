/** Links to the caller's last tray and to all of them, on the home page; nothing while there is none. */
import { useTexts } from '../../i18n/texts.ts';
import { timeText } from '../../i18n/formats.ts';
import { trueTime } from '../../api/server-clock.ts';
import Layers from 'lucide-react/icons/layers';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { useTrays } from './use-tray.ts';

export function RecentTray() {
  const { t, language } = useTexts();
  const { data, dataUpdatedAt } = useTrays();
  const [last] = data ?? [];
  if (last === undefined) return null;
  const time = timeText(last.createdOn, trueTime(dataUpdatedAt), language);
  return (
    <span className="flex flex-wrap gap-x-1">
      <LinkButton look="quiet" icon={Layers} href={`/trays/${last.guid}`}>
        {t('home.lastTray', { time })}
      </LinkButton>
      <LinkButton look="quiet" href="/trays">
        {t('home.allTrays')}
      </LinkButton>
    </span>
  );
}
