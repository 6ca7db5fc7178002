/** The terms of use: whether they stand accepted, and the acceptance. */
import { hasAcceptedTerms, registerTerms } from '@recodery/contract/session';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** The articles that want an express acceptance of their own. */
export const expressArticles = ['5', '6', '7', '8', '9', '10', '12', '14', '15'] as const;

/** Milliseconds for which a "yes" holds: a page that is left open over a new version asks then. */
const yesHolds = 60 * 60_000;

const termsQuery = queryOptions({
  queryKey: ['terms'],
  queryFn: ({ signal }) => call(hasAcceptedTerms, {}, { signal }),
  // A "no" is asked again when the tab comes back into view: it may have been answered in another.
  staleTime: ({ state }) => (state.data === true ? yesHolds : 0),
});

/** True once the server has said that the terms in force are not accepted yet. */
export function useMustAcceptTerms(): boolean {
  return useQuery(termsQuery).data === false;
}

/** True once the terms in force are known to be accepted. */
export function useHasAcceptedTerms(): boolean {
  return useQuery(termsQuery).data === true;
}

/** Accepts the terms of use in their present version. */
export function useAcceptTerms() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(registerTerms),
    onSuccess: () => queries.setQueryData(termsQuery.queryKey, true),
  });
}
