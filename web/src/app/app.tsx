/** Puts together what every page stands in: queries, the language for React Aria, and the router. */
import { QueryClientProvider } from '@tanstack/react-query';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { RouterProvider } from 'react-router/dom';
import { useTexts } from '../i18n/texts.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';

export function App() {
  const { language } = useTexts();
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider locale={language}>
        <RouterProvider router={router} />
      </I18nProvider>
    </QueryClientProvider>
  );
}
