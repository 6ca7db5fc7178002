/** The link to the support portal in every error display; the app provides its address. */
import { createContext, useContext } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { TextLink } from './text-link.tsx';

/** The address of the support portal; if null, the portal has none and no link is shown. */
export const SupportAddress = createContext<string | null>(null);

export function SupportLink({ className = '' }: { readonly className?: string }) {
  const { t } = useTexts();
  const address = useContext(SupportAddress);
  return (
    address !== null && (
      <TextLink href={address} target="_blank" className={className}>
        {t('ui.contactSupport')}
      </TextLink>
    )
  );
}
