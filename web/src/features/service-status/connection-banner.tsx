/** Says over the page that the portal cannot be reached, as soon as that is known and until it is over. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTexts } from '../../i18n/texts.ts';
// not loaded when needed: then there is no connection
import { Banner } from '../../ui/banner.tsx';
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
