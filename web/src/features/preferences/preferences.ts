/** The organisation's preferences: loaded and saved; changes saved in one tab appear in the others. */
import { getPreferences, putPreferences } from '@recodery/contract/features/preferences';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { call } from '../../api/call.ts';
import { tabChannel } from '../../api/other-tabs.ts';
import { type PreferenceDraft, payloadOf, valuesOf } from './preference-values.ts';

/**
 * Notifies that preferences were saved; the other tabs refetch them, since only the server knows the current values.
 */
const savedInTabs = tabChannel('recodery.preferences', z.literal('saved'));

const preferencesQuery = queryOptions({
  // Keys that begin with `code` belong to the customer code and are removed with it.
  queryKey: ['code', 'preferences'],
  queryFn: ({ signal }) => call(getPreferences, {}, { signal }),
  // Another tab may have saved before this one subscribed.
  staleTime: 0,
});

/** The preferences, refetched as soon as another tab has saved. */
export function usePreferences() {
  const queries = useQueryClient();
  useEffect(
    () =>
      savedInTabs.subscribe(
        () => void queries.invalidateQueries({ queryKey: preferencesQuery.queryKey }),
      ),
    [queries],
  );
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
      const body = { organisationPreferences: payloadOf(saved, draft) };
      return call(putPreferences, { body });
    },
    onSuccess: (answer) => {
      queries.setQueryData(preferencesQuery.queryKey, answer);
      savedInTabs.publish('saved');
    },
  });
}
