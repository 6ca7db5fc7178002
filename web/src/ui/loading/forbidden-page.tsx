/** Replaces a page that the user may not open: the reason, the advice, a button that checks again, and a link home. */
import Lock from 'lucide-react/icons/lock-keyhole';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../actions/button.tsx';
import { CopyCode } from '../actions/copy-code.tsx';
import { Icon } from '../display/icon.tsx';
import { LinkButton } from '../actions/link-button.tsx';
import { SupportLink } from '../actions/support-link.tsx';

export interface ForbiddenPageProps {
  readonly headline: string;
  readonly advice: ReactNode;
  readonly code: string;
  /** What "refresh" does; reloads the page by default. */
  readonly onRefresh?: () => void;
  /** The name of the page, for the browser tab; by default the headline. */
  readonly pageTitle?: string;
  /** The second button; a link home by default, or to the user's account. */
  readonly way?: ReactNode;
}

export function ForbiddenPage({
  headline,
  advice,
  code,
  onRefresh = () => location.reload(),
  pageTitle = headline,
  way,
}: ForbiddenPageProps) {
  const { t } = useTexts();
  // operators add a second factor there
  const needsFactor = code === 'SECOND_FACTOR_REQUIRED';
  return (
    <div role="alert" className="mx-auto flex max-w-xl flex-col items-start gap-4 py-10 sm:py-16">
      <title>{`${pageTitle} · Recodery`}</title>
      <span className="flex size-12 items-center justify-center rounded-m bg-sunken text-ink-2">
        <Icon of={Lock} size={24} />
      </span>
      <h1 tabIndex={-1} className="text-2xl outline-none">
        {headline}
      </h1>
      <p className="text-ink-2">{advice}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button look="primary" size="large" onPress={onRefresh}>
          {t('RefreshPage')}
        </Button>
        {/* checking again does not help when a right is missing: this link always works */}
        {way ?? (
          <LinkButton size="large" href={needsFactor ? '/account' : '/'}>
            {t(needsFactor ? 'layout.account' : 'notFound.home')}
          </LinkButton>
        )}
        <SupportLink />
        <CopyCode code={code} />
      </div>
    </div>
  );
}
