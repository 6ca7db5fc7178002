/** The organisation's preferences: loaded and saved; changes saved in one tab appear in the others. */
import { getPreferences, putPreferences } from '@recodery/contract/features/preferences';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { publishSaved, settingsKey } from '../../api/events/saved-settings.ts';
import { type PreferenceDraft, preferencesPayload, valuesOf } from './preference-values.ts';

const preferencesQuery = queryOptions({
  queryKey: settingsKey('preferences'),
  queryFn: ({ signal }) => call(getPreferences, {}, { signal }),
  // Another tab may have saved before this one subscribed.
  staleTime: 0,
});

/** The preferences, refetched as soon as another tab has saved. */
export function usePreferences() {
  return useQuery(preferencesQuery);
}

/**
 * Applies a draft to the currently saved values and saves them: the call replaces everything, and another tab may have
 * saved in the meantime.
 */
export function useSavePreferences() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (draft: PreferenceDraft) => {
      const saved = valuesOf((await call(getPreferences)).organisationPreferences);
      const body = { organisationPreferences: preferencesPayload(saved, draft) };
      return call(putPreferences, { body });
    },
    onSuccess: (answer) => {
      queries.setQueryData(preferencesQuery.queryKey, answer);
      publishSaved('preferences');
    },
  });
}
