/** The encode step before there is anything to encode. */
import Hourglass from 'lucide-react/icons/hourglass';
import { useTexts } from '../../../i18n/texts.ts';
import { Icon } from '../../../ui/display/icon.tsx';
import { Panel } from '../../../ui/display/panel.tsx';

export function EncodeWaiting() {
  const { t } = useTexts();
  return (
    <Panel title={t('recoding.encodeStep')}>
      <p className="flex min-h-14 items-center gap-3.5 px-1 text-ink-3">
        <Icon of={Hourglass} />
        {t('recoding.waitingForFile')}
      </p>
    </Panel>
  );
}
