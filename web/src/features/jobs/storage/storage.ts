/** The storage and the retention of the organisation, and the full export of its jobs. */
import {
  getStorageSettings,
  putStorageSettings,
  type StorageSettings,
} from '@recodery/contract/features/jobs/jobs';
import { mintJobsExport } from '@recodery/contract/features/jobs/jobs-export';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { startDownload } from '../../../api/files/download.ts';
import { publishSaved, settingsKey } from '../../../api/events/saved-settings.ts';

const storageQuery = queryOptions({
  queryKey: settingsKey('storage'),
  queryFn: ({ signal }) => call(getStorageSettings, {}, { signal }),
  staleTime: 0,
});

export function useStorageSettings() {
  return useQuery(storageQuery);
}

/** Saves the retention in days; null: the default. */
export function useSaveRetention() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (retentionDays: number | null): Promise<StorageSettings> =>
      call(putStorageSettings, { body: { retentionDays } }),
    onSuccess: (saved) => {
      queries.setQueryData(storageQuery.queryKey, saved);
      publishSaved('storage');
    },
  });
}

/** Downloads all jobs as one zip. */
export function useExport() {
  return useMutation({
    mutationFn: async () => startDownload((await call(mintJobsExport, {})).url),
  });
}
