/** Passes the page's language to React Aria. It wraps only the lazy-loaded parts that use it, not the whole page. */
import type { ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { useTexts } from '../i18n/texts.ts';

export function AriaLocale({ children }: { readonly children: ReactNode }) {
  const { language } = useTexts();
  return <I18nProvider locale={language}>{children}</I18nProvider>;
}
