/** The organisation's preferences: asked for, and saved. */
import {
  getPreferences,
  type OrganisationPreferences,
  putPreferences,
} from '@recodery/contract/preferences';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { type PreferenceDraft, payloadOf, valuesOf } from './preference-values.ts';

export const preferencesQuery = queryOptions({
  // What begins with `code` belongs to the customer code and is forgotten with it.
  queryKey: ['code', 'preferences'],
  queryFn: ({ signal }) => call(getPreferences, {}, { signal }),
});

function bodyOf(saved: OrganisationPreferences, draft: PreferenceDraft) {
  return { organisationPreferences: payloadOf(valuesOf(saved), draft) };
}

/** Saves a draft over what is saved at that moment: the call replaces everything, and another tab may have saved meanwhile. */
export function useSavePreferences() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (draft: PreferenceDraft) => {
      const { organisationPreferences } = await call(getPreferences);
      return call(putPreferences, { body: bodyOf(organisationPreferences, draft) });
    },
    onSuccess: (answer) => queries.setQueryData(preferencesQuery.queryKey, answer),
  });
}
