/** Shown when a page could not be loaded or crashed: a message, the code, and a link. */
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { thrownProblem } from '../i18n/problems.ts';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { ProblemPanel } from '../ui/problem-panel.tsx';

export function RouteError() {
  const { t } = useTexts();
  const thrown = useRouteError();
  const { headline, advice, code } = thrownProblem(t, thrown);
  useEffect(() => console.error(thrown), [thrown]);
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-4 py-10">
      <PageTitle title={t('routeError.title')} />
      <ProblemPanel
        headline={headline}
        advice={advice}
        code={code}
        actions={
          <Button look="primary" onPress={() => location.reload()}>
            {t('ui.tryAgain')}
          </Button>
        }
      />
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
