/** All trays of the user. */
import { trueTime } from '../../api/server-clock.ts';
import { TrayList } from '../../features/trays/tray-list.tsx';
import { useTrays } from '../../features/trays/use-tray.ts';
import { useTexts } from '../../i18n/texts.ts';
import { LoadedPage } from '../loaded-page.tsx';

export function TraysPage() {
  const { t } = useTexts();
  const query = useTrays();
  const now = trueTime(query.dataUpdatedAt);
  return (
    <LoadedPage query={query} title={t('home.trays')} about={t('tray.list.about')}>
      {(trays) => <TrayList trays={trays} now={now} />}
    </LoadedPage>
  );
}
