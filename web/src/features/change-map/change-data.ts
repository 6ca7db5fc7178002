/** The comparison of two files and their bytes: fetched in pages and windows, and only the visible parts. */
import {
  type ChangedRegion,
  type Comparison,
  compareFiles,
  mostRegions,
  readBytes,
} from '@recodery/contract/features/comparison';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQueries,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** A file to compare, and the name that the page shows for it. */
export interface ComparedFile {
  readonly fileGUID: string;
  readonly name: string;
}

/** The two files. */
export interface Pair {
  readonly before: ComparedFile;
  readonly after: ComparedFile;
}

/** Where the hex view is to scroll to; a new object for each jump, even to the same position. */
export interface Target {
  readonly offset: number;
}

/** A changed region with its number; the first is 0. */
export interface NumberedRegion extends ChangedRegion {
  readonly number: number;
}

/** Number of regions on one page of the list. */
export const pageSize = 500;
/** Bytes in a window of the hex view. */
export const windowBytes = 16_384;
/** Files never change, so what was fetched stays correct; it is kept in memory for a minute. */
const fixed = { staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000 };

const keyOf = ({ before, after }: Pair) =>
  // keys that begin with `code` belong to the customer code and are removed with it
  ['code', 'comparison', before.fileGUID, after.fileGUID] as const;
const paramsOf = ({ before, after }: Pair) => ({
  fileGUID: before.fileGUID,
  otherFileGUID: after.fileGUID,
});

/** A page of the regions, with everything else of the comparison. */
function pageOptions(pair: Pair, page: number) {
  return queryOptions({
    queryKey: [...keyOf(pair), page],
    queryFn: ({ signal }) => {
      const query = { first: String(page * pageSize), count: String(pageSize) };
      return call(compareFiles, { params: paramsOf(pair), query }, { signal });
    },
    ...fixed,
  });
}

/** The regions from the first that ends after an offset on. */
function fromOptions(pair: Pair, at: number) {
  return queryOptions({
    queryKey: [...keyOf(pair), 'from', at],
    queryFn: ({ signal }) => {
      const query = { at: String(at), count: String(pageSize) };
      return call(compareFiles, { params: paramsOf(pair), query }, { signal });
    },
    ...fixed,
  });
}

function windowOptions(fileGUID: string, number: number) {
  return queryOptions({
    queryKey: ['code', 'bytes', fileGUID, number],
    queryFn: async ({ signal }) => {
      const query = { from: String(number * windowBytes), count: String(windowBytes) };
      const { data } = await call(readBytes, { params: { fileGUID }, query }, { signal });
      return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    },
    ...fixed,
  });
}

function numbered({ first, regions }: Pick<Comparison, 'first' | 'regions'>): NumberedRegion[] {
  return regions.map((region, index) => ({ ...region, number: first + index }));
}

/** The comparison, with the first page of its regions. */
export function useComparison(pair: Pair) {
  return useQuery(pageOptions(pair, 0));
}

/** Why something could not be loaded, and the function that retries. */
interface Missing {
  readonly error: unknown;
  readonly refetch: () => void;
}

/** The failure of several queries. */
function missingIn(results: readonly Pick<UseQueryResult, 'error' | 'refetch'>[]): Missing {
  const failed = results.filter(({ error }) => error !== null);
  return {
    error: failed[0]?.error ?? null,
    refetch: () => {
      for (const { refetch } of failed) void refetch();
    },
  };
}

/** Returns a region by its number; null until its page is loaded. `first`, `last`: the numbers of the shown regions. */
export function useRegions(
  pair: Pair,
  first: number,
  last: number,
): Missing & { readonly regionAt: (number: number) => NumberedRegion | null } {
  const from = Math.floor(first / pageSize);
  const to = Math.floor(last / pageSize);
  const pages = Array.from({ length: Math.max(1, to - from + 1) }, (_, index) => from + index);
  const results = useQueries({ queries: pages.map((page) => pageOptions(pair, page)) });
  const known = new Map(
    results.flatMap(({ data }) =>
      data === undefined ? [] : numbered(data).map((region) => [region.number, region] as const),
    ),
  );
  return { regionAt: (number) => known.get(number) ?? null, ...missingIn(results) };
}

/** The regions from an offset on: from the first page if that contains all, else from the server. */
export function useRegionsFrom(
  pair: Pair,
  { regions, regionCount }: Comparison,
  at: number | null,
): readonly ChangedRegion[] | null {
  const isWhole = regions.length === regionCount;
  const { data } = useQuery({
    ...fromOptions(pair, at ?? 0),
    ...(isWhole || at === null ? { enabled: false } : {}),
    placeholderData: keepPreviousData,
  });
  if (isWhole) return regions;
  return at === null ? null : (data?.regions ?? null);
}

/** A region by its number; null if there is none. Rejects as `call` does. */
export async function fetchRegion(
  queries: QueryClient,
  pair: Pair,
  number: number,
): Promise<NumberedRegion | null> {
  if (number < 0) return null;
  const page = await queries.fetchQuery(pageOptions(pair, Math.floor(number / pageSize)));
  return numbered(page).find((region) => region.number === number) ?? null;
}

/** The number of the first region that ends after an offset. Rejects as `call` does. */
export async function fetchNumberAt(queries: QueryClient, pair: Pair, at: number): Promise<number> {
  const whole = queries.getQueryData(pageOptions(pair, 0).queryKey);
  if (whole !== undefined && whole.regions.length === whole.regionCount) {
    const index = whole.regions.findIndex(({ offset, length }) => offset + length > at);
    return index === -1 ? whole.regionCount : index;
  }
  return (await queries.fetchQuery(fromOptions(pair, at))).first;
}

/** All regions, in as few calls as possible. */
export async function fetchAllRegions(
  pair: Pair,
  signal: AbortSignal,
): Promise<readonly ChangedRegion[]> {
  const all: ChangedRegion[] = [];
  for (;;) {
    const query = { first: String(all.length), count: String(mostRegions) };
    const found = await call(compareFiles, { params: paramsOf(pair), query }, { signal });
    all.push(...found.regions);
    if (found.regions.length === 0 || all.length >= found.regionCount) return all;
  }
}

/** Returns a byte of a file by its offset; null until its window is loaded. `from` to `to` are the shown bytes. */
export function useBytes(
  fileGUID: string,
  size: number,
  from: number,
  to: number,
): Missing & { readonly byteAt: (offset: number) => number | null } {
  const end = Math.min(to, size);
  const first = Math.floor(from / windowBytes);
  const count = from >= end ? 0 : Math.floor((end - 1) / windowBytes) - first + 1;
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  const results = useQueries({ queries: numbers.map((one) => windowOptions(fileGUID, one)) });
  return {
    byteAt: (offset) => {
      const number = Math.floor(offset / windowBytes);
      return results[number - first]?.data?.[offset - number * windowBytes] ?? null;
    },
    ...missingIn(results),
  };
}
