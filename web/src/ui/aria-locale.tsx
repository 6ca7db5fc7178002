/** Tells React Aria the page's language. It stands around the parts that use it and are loaded when wanted, not around the page. */
import type { ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { useTexts } from '../i18n/texts.ts';

export function AriaLocale({ children }: { readonly children: ReactNode }) {
  const { language } = useTexts();
  return <I18nProvider locale={language}>{children}</I18nProvider>;
}
