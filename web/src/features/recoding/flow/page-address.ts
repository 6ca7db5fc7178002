/**
 * The operation in a recoding page's address: read when the page opens, and kept up to date so that a reload finds it.
 */
import { useEffect } from 'react';
import { useLocation, useNavigation, useSearchParams } from 'react-router';
import type { Flow } from './state/recoding-flow.ts';
import { operationShown } from './state/resume-operation.ts';

const named = 'operation';

/** The operation that the page's address names, or null. */
export function useNamedOperation(): string | null {
  return new URLSearchParams(useLocation().search).get(named);
}

/** Writes the displayed operation to the page's address. */
export function useAddress(flow: Flow): void {
  const [parameters, setParameters] = useSearchParams();
  const shown = operationShown(flow);
  const before = parameters.get(named);
  // it would cancel the navigation to a page that is still loading
  const isLeaving = useNavigation().state !== 'idle';
  useEffect(() => {
    if (shown === before || isLeaving) return;
    setParameters(
      (present) => {
        const next = new URLSearchParams(present);
        if (shown === null) next.delete(named);
        else next.set(named, shown);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [shown, before, isLeaving, setParameters]);
}
