/** Sends an email to the operator during the setup, and shows the response of the mail server. */
import { useTexts } from '../../../i18n/texts.ts';
import { thrownProblem } from '../../../i18n/problems.ts';
import { Badge, type BadgeState } from '../../../ui/display/badge.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { useTestEmail } from './setup-link.ts';

export interface EmailTestProps {
  readonly token: string;
  /** The operator's address; null: it is not entered yet, or is no address. */
  readonly to: string | null;
  readonly culture: string;
}

type Shown = 'untested' | 'accepted' | 'stored' | 'failed';

const looks: Readonly<Record<Shown, BadgeState>> = {
  untested: 'neutral',
  accepted: 'good',
  stored: 'modified',
  failed: 'bad',
};

export function EmailTest({ token, to, culture }: EmailTestProps) {
  const { t } = useTexts();
  const { mutate, data, variables, error, isPending } = useTestEmail(token);
  // a response about a former address shows nothing about the present one
  const result = data !== undefined && variables?.to === to ? data : null;
  const shown: Shown = result?.outcome ?? 'untested';
  return (
    <Panel
      title={t('setup.email')}
      actions={<Badge state={looks[shown]}>{t(`setup.email.${shown}`)}</Badge>}
    >
      <div className="flex flex-col items-start gap-4">
        <p className="max-w-[70ch] text-md text-pretty text-ink-2">{t('setup.emailAbout')}</p>
        <div role="status" className="flex flex-col gap-2 empty:hidden">
          {result !== null && (
            <>
              <p className="max-w-[70ch] text-pretty wrap-anywhere">
                {t(`setup.email.${result.outcome}About`, { email: to ?? '' })}
              </p>
              <code
                lang="en"
                className="self-start rounded-s bg-sunken px-3 py-1.5 font-mono text-sm wrap-anywhere"
              >
                {result.response}
              </code>
            </>
          )}
        </div>
        {error !== null && <ProblemPanel {...thrownProblem(t, error)} />}
        <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
          <Button
            isDisabled={to === null}
            isPending={isPending}
            onPress={() => mutate({ to: to ?? '', culture })}
            className="max-sm:w-full"
          >
            {t('setup.emailSend')}
          </Button>
          {to === null && <p className="text-md text-ink-3">{t('setup.emailNeedsAddress')}</p>}
        </div>
      </div>
    </Panel>
  );
}
