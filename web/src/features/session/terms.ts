/** The terms of use: whether they are accepted, and the acceptance. */
import { hasAcceptedTerms, registerTerms } from '@recodery/contract/features/session';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** The articles that require separate express acceptance. */
export const expressArticles = ['5', '6', '7', '8', '9', '10', '12', '14', '15'] as const;

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

/** Accepts the current version of the terms of use. */
export function useAcceptTerms() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(registerTerms),
    onSuccess: () => queries.setQueryData(termsQuery.queryKey, true),
  });
}
