/** The terms of use, and whether they are accepted. */
import { hasAcceptedTerms } from '@recodery/contract/features/session';
import { queryOptions, useQuery } from '@tanstack/react-query';
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

export const termsQuery = queryOptions({
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
