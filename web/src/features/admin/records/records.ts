/** The records of every resource: listed, read, created, changed with their revision, removed, and acted on. */
import {
  type ActionFinding,
  mostRecords,
  type ResourceRoutes,
  routesOf,
} from '@recodery/contract/admin/derive-routes';
import type { Route } from '@recodery/contract/api';
import { fileFieldOf, type Resource } from '@recodery/contract/admin/resource';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  skipToken,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { saveFile } from '../../../api/files/download.ts';
import { chosenFile, forgetFile } from './chosen-files.ts';
import type { Values } from './record-draft.ts';

/** Any declared resource. */
export type AnyResource = Resource;

/** A record of any resource; its other fields are those that the resource declares. */
export type AnyRecord = Values & { readonly guid: string; readonly revision: string };

interface Page {
  readonly items: readonly AnyRecord[];
  readonly next: string | null;
  /** Null: there can be too many to count. */
  readonly total: number | null;
}

/** What an action returns: the record after it, a link to copy, and what it has found. */
export interface Acted {
  readonly item: AnyRecord | null;
  readonly link: string | null;
  readonly finding: ActionFinding | null;
}

type Verb = 'list' | 'create' | 'read' | 'update' | 'remove' | 'act' | 'perform';

/** Records per page of a list. */
const pageSize = 50;

// Keys that begin with `code` belong to the customer code and are removed with it.
const keyOf = ({ name }: AnyResource) => ['code', 'records', name] as const;

/** The routes of each resource, derived once. */
const routes = new Map<string, ResourceRoutes<AnyResource>>();

function routesFor(resource: AnyResource): ResourceRoutes<AnyResource> {
  const known = routes.get(resource.name) ?? routesOf(resource);
  routes.set(resource.name, known);
  return known;
}

/** Calls a route of a resource. The declaration gives the form of the response, which the call has checked. */
async function ask<T>(
  resource: AnyResource,
  verb: Verb,
  input: Parameters<typeof call>[1],
  options: Parameters<typeof call>[2] = {},
): Promise<T> {
  const route = routesFor(resource)[verb];
  if (route === null) throw new Error(`${resource.name} cannot be called to ${verb}`);
  return (await call(route, input, options)) as T;
}

/** The values of a resource's filters by name; those that are not in use are missing. */
export type Filters = Readonly<Record<string, string>>;

/** What a list shows. */
export interface ListQuery {
  readonly search: string;
  /** The name of a column, with a minus before it for the other direction. */
  readonly sort: string;
  /** Absent: the resource has none. */
  readonly filters?: Filters;
}

/** Milliseconds after which records that change are read again. */
const changingMs = 2000;

/** Whether a record changes soon without anyone. */
const isChanging = ({ changing }: AnyResource, record: AnyRecord): boolean =>
  changing?.is.includes(String(record[changing.field])) === true;

/** Whether a list shows a record. */
export type KeepRecord = (record: AnyRecord) => boolean;

const listQuery = (resource: AnyResource, query: ListQuery, keep: KeepRecord | null = null) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(resource), 'list', query],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const { filters, ...shown } = query;
      for (let after = pageParam; ; ) {
        const count = String(resource.isSearchedAsShown === true ? mostRecords : pageSize);
        const asked = { ...shown, ...filters, count, after: after ?? undefined };
        const page = await ask<Page>(resource, 'list', { query: asked }, { signal });
        // a long search returns pages without records until it finds one or ends
        if (page.items.length > 0 || page.next === null) return page;
        after = page.next;
      }
    },
    getNextPageParam: ({ next }) => next,
    select: ({ pages, pageParams }) => {
      const kept = pages.map(({ items }) => (keep === null ? items : items.filter(keep)));
      const total = keep === null ? (pages[0]?.total ?? null) : kept.flat().length;
      return { pages: kept, pageParams, total };
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => {
      const items = data?.pages.flatMap((page) => page.items) ?? [];
      return items.some((record) => isChanging(resource, record)) ? changingMs : false;
    },
  });

/** The records that a search finds, in pages. `keep` leaves out others of those that the server found. */
export function useRecords(resource: AnyResource, query: ListQuery, keep: KeepRecord | null) {
  return useInfiniteQuery(listQuery(resource, query, keep));
}

/** The values that a field which refers to a resource can suggest for a typed text. */
export function useSuggestions(resource: AnyResource | null, by: string, typed: string): string[] {
  const { data } = useQuery({
    queryKey: ['code', 'records', resource?.name, 'suggestions', typed],
    queryFn:
      resource === null
        ? skipToken
        : ({ signal }) =>
            ask<Page>(resource, 'list', { query: { search: typed, count: '20' } }, { signal }),
    placeholderData: keepPreviousData,
  });
  const values = (resource === null ? [] : (data?.items ?? [])).map((record) => record[by]);
  return [...new Set(values.filter((value) => typeof value === 'string'))];
}

const recordQuery = (resource: AnyResource, guid: string) =>
  queryOptions({
    queryKey: [...keyOf(resource), 'record', guid],
    queryFn: ({ signal }) => ask<AnyRecord>(resource, 'read', { params: { guid } }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isChanging(resource, data) ? changingMs : false,
    // the form compares what was saved meanwhile when it is saved
    refetchOnWindowFocus: false,
  });

export function useRecord(resource: AnyResource, guid: string) {
  return useQuery(recordQuery(resource, guid));
}

/** What the user has confirmed, such as that devices change their owner, or that an organisation has no manager afterwards. */
export interface Confirmation {
  readonly move?: 'true';
  readonly withoutManager?: 'true';
  /** What the refusal of the same save described: the number in its question, or `true` if there is none. */
  readonly confirm?: string;
}

/** What a save sends: a new record, or changes of the record with this revision. */
export interface Save {
  readonly of: Pick<AnyRecord, 'guid' | 'revision'> | null;
  readonly values: Values;
  readonly confirmed: Confirmation;
}

/** The revision on which a change is based. */
const basedOn = ({ revision }: Pick<AnyRecord, 'revision'>) => ({
  'If-Match': `"${revision}"`,
});

/** Saves a record with the file that the form contains. */
async function saveWithFile(
  resource: AnyResource,
  field: string,
  { of, values, confirmed }: Save,
  onProgress: (fraction: number) => void,
): Promise<AnyRecord> {
  const { createFrom, replace } = routesFor(resource);
  // as any route: the types of their values differ for each resource
  const route: Route | null = of === null ? createFrom : replace;
  const { [field]: hash, ...others } = values;
  const file = chosenFile(hash);
  if (route === null || file === null) throw new Error(`${resource.name} cannot be uploaded`);
  const texts = Object.entries(others).filter(([, value]) => typeof value === 'string');
  const query = { ...Object.fromEntries(texts), ...confirmed };
  // only records with a file need it
  const { upload } = await import('../../../api/files/upload.ts');
  const saved: unknown = await upload<Route>(
    route,
    of === null ? { query } : { params: { guid: of.guid }, query },
    file,
    { onProgress, ...(of === null ? {} : { headers: basedOn(of) }) },
  );
  forgetFile(hash);
  return saved as AnyRecord;
}

/** Saves a record; the server refuses to overwrite another revision. */
export function useSaveRecord(resource: AnyResource) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number | null>(null);
  const [fileField] = fileFieldOf(resource) ?? [];
  const mutation = useMutation({
    mutationFn: (save: Save) => {
      const { of, values: body, confirmed: query } = save;
      if (fileField !== undefined) return saveWithFile(resource, fileField, save, setProgress);
      if (of === null) return ask<AnyRecord>(resource, 'create', { body, query });
      const input = { params: { guid: of.guid }, body, query };
      return ask<AnyRecord>(resource, 'update', input, { headers: basedOn(of) });
    },
    onSuccess: (record) => {
      queries.setQueryData(recordQuery(resource, record.guid).queryKey, record);
      void queries.invalidateQueries({ queryKey: [...keyOf(resource), 'list'] });
    },
    onSettled: () => setProgress(null),
  });
  /** The part of an upload that is sent; null: nothing is being uploaded. */
  return { ...mutation, progress };
}

/** An action on a record, or its removal. */
interface ActAsk {
  readonly of: Pick<AnyRecord, 'guid' | 'revision'>;
  readonly action: string;
  readonly confirmed: Confirmation;
}

/** Removes a record, or acts on it. */
export function useAct(resource: AnyResource) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ of, action, confirmed: query }: ActAsk) => {
      const { guid } = of;
      const isRevised = resource.revisedActions?.includes(action) === true;
      const options = isRevised ? { headers: basedOn(of) } : {};
      if (action !== 'remove')
        return ask<Acted>(resource, 'act', { params: { guid, action }, query }, options);
      await ask<undefined>(resource, 'remove', { params: { guid }, query });
      return null;
    },
    onSuccess: (acted) => {
      const item = acted?.item ?? null;
      if (item !== null) queries.setQueryData(recordQuery(resource, item.guid).queryKey, item);
    },
    // it may have been changed meanwhile
    onError: (_thrown, { of: { guid } }) =>
      queries.invalidateQueries({ queryKey: recordQuery(resource, guid).queryKey }),
    onSettled: () => queries.invalidateQueries({ queryKey: [...keyOf(resource), 'list'] }),
  });
}

/** How many records there are. */
export function useRecordCount(resource: AnyResource) {
  return useQuery({
    queryKey: [...keyOf(resource), 'list', 'count'],
    queryFn: async ({ signal }) =>
      (await ask<Page>(resource, 'list', { query: { count: '1' } }, { signal })).total,
  });
}

/** Carries out a task of the whole resource, and returns what it has found. */
export function usePerform(resource: AnyResource) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (task: string) =>
      ask<{ readonly finding: ActionFinding }>(resource, 'perform', { params: { task } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [...keyOf(resource), 'list'] }),
  });
}

/** Saves the file of a record. */
export async function saveRecordFile(resource: AnyResource, guid: string): Promise<void> {
  const { download } = routesFor(resource);
  if (download === null) throw new Error(`${resource.name} has no files`);
  await saveFile(download, { params: { guid } });
}

/** Saves all records of a list as a file. */
export async function saveExport(
  resource: AnyResource,
  ending: 'csv' | 'jsonl',
  { search, filters = {} }: ListQuery,
): Promise<void> {
  const { exportCsv, exportLines } = routesFor(resource);
  const route = ending === 'csv' ? exportCsv : exportLines;
  if (route === null) throw new Error(`${resource.name} has no export`);
  await saveFile(route, { query: { search, ...filters } });
}
