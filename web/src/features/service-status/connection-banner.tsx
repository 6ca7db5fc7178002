/** Shows above the page that the portal is unreachable, from detection until it is reachable again. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTexts } from '../../i18n/texts.ts';
// not lazy-loaded: there is no connection when it is needed
import { Banner } from '../../ui/display/banner.tsx';
import { useConnection, watchConnection } from './connection.ts';

export function ConnectionLost({ connection }: { readonly connection: 'offline' | 'unreachable' }) {
  const { t } = useTexts();
  return (
    <Banner tone="warning">
      <strong className="font-semibold">{t(`connection.${connection}`)}.</strong>{' '}
      {t('connection.about')}
    </Banner>
  );
}

export function ConnectionBanner() {
  const queries = useQueryClient();
  useEffect(() => watchConnection(queries), [queries]);
  const connection = useConnection();
  return connection === 'up' ? null : <ConnectionLost connection={connection} />;
}
