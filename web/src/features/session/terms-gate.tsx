/** Asks for the terms of use where they are not accepted; the question itself is loaded only then. */
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
