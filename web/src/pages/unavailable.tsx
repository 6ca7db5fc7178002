/** Shown when a page has no content: the user may not open it, or its data could not be loaded. */
import { Refusal, statusOf } from '@recodery/contract/errors';
import { thrownProblem } from '../i18n/problems.ts';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { ForbiddenScreen } from '../ui/forbidden-screen.tsx';
import { ProblemPanel } from '../ui/problem-panel.tsx';

export interface UnavailableProps {
  readonly thrown: unknown;
  /** The name of the page, for the browser tab. */
  readonly pageTitle: string;
  readonly onAgain: () => unknown;
  readonly isAsking: boolean;
}

export function Unavailable({ thrown, pageTitle, onAgain, isAsking }: UnavailableProps) {
  const { t } = useTexts();
  const { headline, advice, code } = thrownProblem(t, thrown);
  if (isForbidden(thrown)) {
    return <ForbiddenScreen pageTitle={pageTitle} title={headline} message={advice} code={code} />;
  }
  return (
    <ProblemPanel
      headline={headline}
      advice={advice}
      code={code}
      actions={
        <Button look="primary" onPress={() => void onAgain()} isPending={isAsking}>
          {t('ui.tryAgain')}
        </Button>
      }
    />
  );
}

/** Whether the user may not open a page: then the screen that explains it replaces the page title too. */
export function isForbidden(thrown: unknown): boolean {
  return thrown instanceof Refusal && statusOf(thrown.code) === 403;
}
