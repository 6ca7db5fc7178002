/**
 * Asks users to accept the terms of use if they have not; the dialog is loaded only then. Users who cannot do anything
 * yet first see whom to ask: on every page without access to the portal, otherwise on the home page.
 */
import type { ComponentProps } from 'react';
import { useLocation } from 'react-router';
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { accessLevelOf } from './entries.ts';
import { useSession } from './session.ts';
import { useMustAcceptTerms } from './terms.ts';

const TermsModal = onDemand(
  async () => (await withTexts(import('./terms-modal.tsx'), 'notices')).TermsModal,
);

export function TermsGate(props: ComponentProps<typeof TermsModal>) {
  const level = accessLevelOf(useSession());
  const { pathname } = useLocation();
  const mustAccept = useMustAcceptTerms();
  const showsWhomToAsk = level === 'no-access' || (level === 'blocked' && pathname === '/');
  return mustAccept && !showsWhomToAsk && <TermsModal key={props.terms.version} {...props} />;
}
