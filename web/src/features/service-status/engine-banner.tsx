/** Shows above the page that the engine is down; uploads are then blocked. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { hearStatus, useEngineIsUp } from './service-status.ts';

const Banner = onDemand(async () => (await import('../../ui/banner.tsx')).Banner);

export function EngineBanner() {
  const { t } = useTexts();
  const queries = useQueryClient();
  useEffect(() => hearStatus(queries), [queries]);
  return useEngineIsUp() ? null : (
    <Banner tone="warning">
      <strong className="font-semibold">{t('MAESTRO_SERVICE_UNAVAILABLE_TITLE')}.</strong>{' '}
      {t('MAESTRO_SERVICE_UNAVAILABLE')}
    </Banner>
  );
}
