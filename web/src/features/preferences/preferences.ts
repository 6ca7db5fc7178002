/** The organisation's preferences: asked for, and saved; what one tab saves appears in the others. */
import {
  getPreferences,
  type OrganisationPreferences,
  putPreferences,
} from '@recodery/contract/preferences';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { call } from '../../api/call.ts';
import { tabChannel } from '../../api/other-tabs.ts';
import { type PreferenceDraft, payloadOf, valuesOf } from './preference-values.ts';

/** Says that preferences were saved; the other tabs ask for them, since only the server knows which are in force. */
const savedInTabs = tabChannel('recodery.preferences', z.literal('saved'));

const preferencesQuery = queryOptions({
  // What begins with `code` belongs to the customer code and is forgotten with it.
  queryKey: ['code', 'preferences'],
  queryFn: ({ signal }) => call(getPreferences, {}, { signal }),
  // Another tab may have saved while nobody here was listening.
  staleTime: 0,
});

/** The preferences, asked for again as soon as another tab has saved some. */
export function usePreferences() {
  const queries = useQueryClient();
  useEffect(
    () =>
      savedInTabs.hear(
        () => void queries.invalidateQueries({ queryKey: preferencesQuery.queryKey }),
      ),
    [queries],
  );
  return useQuery(preferencesQuery);
}

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
    onSuccess: (answer) => {
      queries.setQueryData(preferencesQuery.queryKey, answer);
      savedInTabs.tell('saved');
    },
  });
}
