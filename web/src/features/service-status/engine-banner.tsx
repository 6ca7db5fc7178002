/** Shows above the page that the engine is down; uploads are then blocked. */
import { useTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { useEngineIsUp } from './service-status.ts';

const Banner = onDemand(async () => (await import('../../ui/display/banner.tsx')).Banner);

export function EngineBanner() {
  const { t } = useTexts();
  return useEngineIsUp() ? null : (
    <Banner tone="warning">
      <strong className="font-semibold">
        {t('ui.headline', { headline: t('MAESTRO_SERVICE_UNAVAILABLE_TITLE') })}
      </strong>{' '}
      {t('MAESTRO_SERVICE_UNAVAILABLE')}
    </Banner>
  );
}
