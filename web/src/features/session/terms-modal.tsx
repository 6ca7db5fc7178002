/** Blocks the page until the user accepts the terms of use or signs out. */
import { useState } from 'react';
import { listText } from '../../i18n/formats.ts';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { ProblemPanel } from '../../ui/display/problem-panel.tsx';
import { TextLink } from '../../ui/actions/text-link.tsx';
import { useLogout } from './session.ts';
import { useAcceptTerms } from './accept-terms.ts';
import type { Terms } from './terms.ts';

interface TermsProps {
  readonly terms: Terms;
  /** Loads the terms again, because they have changed. */
  readonly onOutdated: () => Promise<unknown>;
}

export function TermsModal({ terms, onOutdated }: TermsProps) {
  const { t, language } = useTexts();
  const [hasAccepted, setHasAccepted] = useState(false);
  const [hasAcceptedArticles, setHasAcceptedArticles] = useState(false);
  const accept = useAcceptTerms(terms.version, onOutdated);
  const leave = useLogout();
  const failure = accept.error ?? leave.error;
  const hasArticles = terms.articles.length > 0;
  return (
    <Dialog
      isDismissable={false}
      title={t('terms.title')}
      onClose={() => undefined}
      actions={
        <>
          <Button look="quiet" isPending={leave.isPending} onPress={() => leave.mutate()}>
            {t('layout.logout')}
          </Button>
          <Button
            look="primary"
            isDisabled={!hasAccepted || (hasArticles && !hasAcceptedArticles)}
            isPending={accept.isPending}
            onPress={() => accept.mutate()}
          >
            {t('terms.confirm')}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">{t('terms.about')}</p>
      <p className="mt-1 mb-4">
        {terms.url === '' ? (
          t('terms.none')
        ) : (
          <TextLink href={terms.url} target="_blank">
            {t('terms.read')}
          </TextLink>
        )}
      </p>
      <div className="flex flex-col gap-1">
        <Checkbox isSelected={hasAccepted} onChange={setHasAccepted}>
          {t('terms.accept')}
        </Checkbox>
        {hasArticles && (
          <Checkbox isSelected={hasAcceptedArticles} onChange={setHasAcceptedArticles}>
            {t('terms.acceptArticles', { articles: listText(terms.articles, language) })}
          </Checkbox>
        )}
      </div>
      {failure !== null && (
        <div className="mt-4">
          <ProblemPanel {...thrownProblem(t, failure)} />
        </div>
      )}
    </Dialog>
  );
}
