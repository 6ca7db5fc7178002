/** Asks users to accept the terms of use if they have not; the dialog is loaded only then. */
import { lazy, Suspense } from 'react';
import { useMustAcceptTerms } from './terms.ts';

const TermsModal = lazy(async () => ({ default: (await import('./terms-modal.tsx')).TermsModal }));

export function TermsGate({ termsURL }: { readonly termsURL: string }) {
  return useMustAcceptTerms() ? (
    <Suspense fallback={null}>
      <TermsModal termsURL={termsURL} />
    </Suspense>
  ) : null;
}
