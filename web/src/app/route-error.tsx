/** Shown when a page could not be loaded or crashed: a message, the code, and a link. */
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { useTexts } from '../i18n/texts.ts';
import { PageTitle } from '../ui/display/page-title.tsx';
import { FailurePanel } from '../ui/display/problem-panel.tsx';

export function RouteError() {
  const { t } = useTexts();
  const thrown = useRouteError();
  useEffect(() => console.error(thrown), [thrown]);
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-4 py-10">
      <PageTitle title={t('routeError.title')} />
      <FailurePanel thrown={thrown} onAgain={() => location.reload()} />
    </div>
  );
}

/** The same screen when even the shell could not be rendered. */
export function RootError() {
  return (
    <main>
      <RouteError />
    </main>
  );
}
