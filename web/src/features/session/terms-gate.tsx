/** Asks users to accept the terms of use if they have not; the dialog is loaded only then. */
import { onDemand } from '../../ui/on-demand.tsx';
import { useMustAcceptTerms } from './terms.ts';

const TermsModal = onDemand(async () => (await import('./terms-modal.tsx')).TermsModal);

export function TermsGate({ termsURL }: { readonly termsURL: string }) {
  return useMustAcceptTerms() && <TermsModal termsURL={termsURL} />;
}
