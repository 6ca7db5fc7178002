/** Asks users to accept the terms of use if they have not; the dialog is loaded only then. */
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { useMustAcceptTerms } from './terms.ts';

const TermsModal = onDemand(
  async () => (await withTexts(import('./terms-modal.tsx'), 'notices')).TermsModal,
);

export function TermsGate({ termsURL }: { readonly termsURL: string }) {
  return useMustAcceptTerms() && <TermsModal termsURL={termsURL} />;
}
