/** The jobs of the current customer code: listed, found, changed, and their files. */
import type { InputOf } from '@recodery/contract/api';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import {
  countJobs,
  deleteJob,
  findFiles,
  getJob,
  getJobFilters,
  type Job,
  type JobFile,
  listJobs,
  prepareRestoreKit,
  putJobKept,
  putJobNote,
  putJobVehicle,
} from '@recodery/contract/features/jobs/jobs';
import { keepJobs } from '@recodery/contract/features/jobs/kept-jobs';
import { operation } from '@recodery/contract/features/operations';
import { listReceipts } from '@recodery/contract/features/receipts';
import {
  focusManager,
  infiniteQueryOptions,
  keepPreviousData,
  mutationOptions,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { startDownload } from '../../api/files/download.ts';
import { fetchAddress } from '../../api/files/fresh-address.ts';
import { onEvent, onStreamOpened } from '../../api/events/events.ts';
import { ownWordsOf } from '../../i18n/own-words.ts';
import { loadTexts } from '../../i18n/texts.ts';
import { withNewest } from './list/newest-jobs.ts';

/** The filters of the list. */
export type JobQuery = Omit<NonNullable<InputOf<typeof listJobs>['query']>, 'count' | 'before'>;

// Keys that begin with `code` belong to the customer code and are removed with it.
const allKey = ['code', 'jobs'] as const;
/** Jobs per page of the list. */
const pageSize = 30;
/** Milliseconds between two requests while a restore kit is being prepared, which no event announces, or a job decoded. */
const pollingMs = { kit: 1000, decode: 5000 };

function fetchPage(query: JobQuery, before: string | null, signal?: AbortSignal) {
  const page = { ...query, count: String(pageSize), ...(before === null ? {} : { before }) };
  return call(listJobs, { query: page }, signal && { signal });
}

const listQuery = (query: JobQuery) =>
  infiniteQueryOptions({
    queryKey: [...allKey, 'list', query],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => fetchPage(query, pageParam, signal),
    getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.slotGUID ?? null)),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // that would request all pages; see below
    refetchOnWindowFocus: false,
  });

const countQuery = (query: JobQuery) =>
  queryOptions({
    queryKey: [...allKey, 'count', query],
    queryFn: ({ signal }) => call(countJobs, { query }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** How many jobs a search and filters find; undefined until it is known. */
export function useJobCount(query: JobQuery, isNeeded: boolean) {
  return useQuery({ ...countQuery(query), enabled: isNeeded }).data;
}

/** Calls `update` one at a time: once more after it if there was a reason for it in the meantime. */
function oneAtATime(update: () => Promise<void>): () => void {
  let isRunning = false;
  let isDueAgain = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    do {
      isDueAgain = false;
      // without a response, the list stays unchanged
      await update().catch(() => {});
    } while (isDueAgain);
    isRunning = false;
  };
  return () => {
    if (isRunning) isDueAgain = true;
    else void run();
  };
}

/**
 * Calls `update` when the list may have changed: an operation has started or finished, the window gets the focus, or the
 * event stream is connected again. Returns the function that unsubscribes.
 */
function onJobsChanged(update: () => void): () => void {
  // the many events of an operation in progress change nothing in the list
  const seen = new Set<string>();
  const ends = [
    onEvent('operation', operation, ({ guid, isCompleted }) => {
      const state = `${guid} ${isCompleted}`;
      if (seen.has(state)) return;
      seen.add(state);
      update();
    }),
    onStreamOpened(update),
    focusManager.subscribe((isFocused) => {
      if (isFocused) update();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** The jobs that a search and filters find, newest first, in pages. New jobs are added without a reload. */
export function useJobs(query: JobQuery) {
  const queries = useQueryClient();
  useEffect(() => {
    const { queryKey } = listQuery(query);
    const update = async (): Promise<void> => {
      void queries.invalidateQueries({ queryKey: countQuery(query).queryKey });
      const before = queries.getQueryState(queryKey);
      if (before?.fetchStatus !== 'idle') return;
      if (before.data === undefined) return queries.refetchQueries({ queryKey, exact: true });
      const newest = await fetchPage(query, null);
      // another request has changed the list in the meantime
      const { fetchStatus, dataUpdatedAt } = queries.getQueryState(queryKey) ?? {};
      if (fetchStatus !== 'idle' || dataUpdatedAt !== before.dataUpdatedAt) return;
      queries.setQueryData(queryKey, (list) => {
        if (list === undefined) return list;
        const pages = withNewest(list.pages, newest, pageSize);
        return { pages, pageParams: list.pageParams.slice(0, pages.length) };
      });
    };
    return onJobsChanged(oneAtATime(update));
  }, [queries, query]);
  return useInfiniteQuery(listQuery(query));
}

/** The codes of a job's receipts, by the GUIDs of the encoded files. */
export function useReceiptCodes(job: Job): ReadonlyMap<string, string> {
  const encoded = job.files.filter(({ role }) => role === 'encoded').length;
  const { data = [] } = useQuery({
    queryKey: [...allKey, 'receipts', job.slotGUID, encoded],
    queryFn: ({ signal }) => call(listReceipts, { params: { slotGUID: job.slotGUID } }, { signal }),
    enabled: encoded > 0,
  });
  return new Map(data.map(({ fileGUID, code }) => [fileGUID, code]));
}

/** The values of the filters. */
export function useJobFilters() {
  return useQuery({
    queryKey: [...allKey, 'filters'],
    queryFn: ({ signal }) => call(getJobFilters, {}, { signal }),
  });
}

/** The files with a SHA-256, or with several, separated by commas. */
export function useFoundFiles(sha256: string) {
  return useQuery({
    queryKey: [...allKey, 'hash', sha256],
    queryFn: ({ signal }) => call(findFiles, { params: { sha256 } }, { signal }),
    staleTime: 0,
  });
}

/** Whether only its maker's service opens the files of a family. */
const isServed = (family: Family): boolean => definitionOf(family).sealing !== undefined;

const jobQuery = (slotGUID: string) =>
  queryOptions({
    queryKey: [...allKey, 'one', slotGUID],
    queryFn: async ({ signal }) => {
      const job = await call(getJob, { params: { slotGUID } }, { signal });
      if (ownWordsOf(job.workflow) !== null)
        await Promise.all([loadTexts('utility'), loadTexts('encode')]);
      // it has the names of their components
      if (isServed(job.family)) await loadTexts('encode');
      return job;
    },
    staleTime: 0,
  });

/** A job; requested again while it is being decoded or its restore kit prepared. */
export function useJob(slotGUID: string) {
  return useQuery({
    ...jobQuery(slotGUID),
    refetchInterval: ({ state: { data } }) => {
      if (data?.restoreKit.state === 'preparing') return pollingMs.kit;
      return data?.isDecoding === true ? pollingMs.decode : false;
    },
  });
}

/**
 * Downloads the restore kit; false if a new one must be prepared first, because a later file has since been encoded.
 */
export function useDownloadKit(slotGUID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<boolean> => {
      // not through the query, which would wait while offline
      const job = await call(getJob, { params: { slotGUID } });
      queries.setQueryData(jobQuery(slotGUID).queryKey, job);
      const { restoreKit } = job;
      if (restoreKit.state !== 'ready' || restoreKit.fileGUID === null) return false;
      await downloadJobFile(restoreKit.fileGUID);
      return true;
    },
  });
}

/** A change to a job, which all lists may show. */
function changeOf<T, A>(queries: QueryClient, change: (value: T) => Promise<A>) {
  return mutationOptions({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: allKey }),
  });
}

function useChange<T, A>(change: (value: T) => Promise<A>) {
  return useMutation(changeOf(useQueryClient(), change));
}

export function useSaveNote(slotGUID: string) {
  return useChange((note: string) => call(putJobNote, { params: { slotGUID }, body: { note } }));
}

/** What a user has typed about the customer and the vehicle. */
export type VehicleEntry = NonNullable<InputOf<typeof putJobVehicle>['body']>;

export function useSaveVehicle(slotGUID: string) {
  return useChange((body: VehicleEntry) => call(putJobVehicle, { params: { slotGUID }, body }));
}

/** Sets whether a job is kept. Changes to one job are sent one after the other, so that the last one arrives last. */
export function keepJob(queries: QueryClient, slotGUID: string) {
  const change = (isKept: boolean) => call(putJobKept, { params: { slotGUID }, body: { isKept } });
  return { ...changeOf(queries, change), scope: { id: `keep ${slotGUID}` } };
}

export function useKeepJob(slotGUID: string) {
  return useMutation(keepJob(useQueryClient(), slotGUID));
}

/** Keeps several jobs. */
export function useKeepJobs() {
  return useChange((slotGUIDs: readonly string[]) =>
    call(keepJobs, { body: { slotGUIDs: [...slotGUIDs] } }),
  );
}

export function usePrepareKit(slotGUID: string) {
  return useChange(() => call(prepareRestoreKit, { params: { slotGUID } }));
}

/** Deletes a job. Its own query is not requested again: the job no longer exists. */
export function useDeleteJob(slotGUID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(deleteJob, { params: { slotGUID } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...allKey, 'list'] }),
  });
}

/** Downloads a file under a fresh address. */
export async function downloadJobFile(fileGUID: string): Promise<void> {
  startDownload((await fetchAddress(fileGUID)).url);
}

/**
 * The files that an encode would start from: a modified or original file itself, or those that an encoded one was made
 * from.
 */
export function encodeInputsOf({ files }: Pick<Job, 'files'>, file: JobFile): readonly JobFile[] {
  const named = file.role === 'encoded' ? file.madeFrom : [file.fileGUID];
  return files.filter(({ fileGUID, part }) => part !== null && named.includes(fileGUID));
}
