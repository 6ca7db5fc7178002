/** The terms of use: whether they are accepted, and the acceptance. */
import { hasAcceptedTerms, registerTerms } from '@recodery/contract/features/session';
import { Refusal } from '@recodery/contract/refusal';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** The operator's terms of use. */
export interface Terms {
  /** Where the text is; empty: users ask the operator for it. */
  readonly url: string;
  readonly version: string;
  /** The articles that require separate express acceptance; often none. */
  readonly articles: readonly string[];
}

/** Milliseconds for which an acceptance is cached: a page that stays open across a new version asks after that. */
const yesHolds = 60 * 60_000;

const termsQuery = queryOptions({
  queryKey: ['terms'],
  queryFn: ({ signal }) => call(hasAcceptedTerms, {}, { signal }),
  // A missing acceptance is checked again when the tab becomes visible: the user may have accepted in another tab.
  staleTime: ({ state }) => (state.data === true ? yesHolds : 0),
});

/** True once the server has reported that the current terms have not been accepted yet. */
export function useMustAcceptTerms(): boolean {
  return useQuery(termsQuery).data === false;
}

/** True once the current terms are known to be accepted. */
export function useHasAcceptedTerms(): boolean {
  return useQuery(termsQuery).data === true;
}

/**
 * Accepts a version of the terms of use. If the server refuses it because it is no longer the current one, `onOutdated`
 * loads that one, and the user is asked again.
 */
export function useAcceptTerms(version: string, onOutdated: () => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await call(registerTerms, { query: { version } });
        return true;
      } catch (thrown) {
        if (!(thrown instanceof Refusal && thrown.code === 'TERMS_CHANGED')) throw thrown;
        await onOutdated();
        return false;
      }
    },
    onSuccess: (isCurrent) => queries.setQueryData(termsQuery.queryKey, isCurrent),
  });
}
