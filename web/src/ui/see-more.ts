/** "See more" below a list that is read in pages: asks for the next page, and moves the focus to the first row that comes. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';

type Paged = Pick<
  UseInfiniteQueryResult<InfiniteData<readonly unknown[], unknown>>,
  'data' | 'fetchNextPage'
>;

export interface SeeMore<List extends HTMLElement> {
  /** For the element whose children are the rows; they must take the focus. */
  readonly list: RefObject<List | null>;
  readonly seeMore: () => Promise<void>;
}

/** `count` is the number of rows on show. */
export function useSeeMore<List extends HTMLElement>(
  count: number,
  { data, fetchNextPage }: Paged,
): SeeMore<List> {
  const list = useRef<List>(null);
  // How many there were when more were asked for.
  const before = useRef<number | null>(null);
  // The button may be gone with the last page; the reading goes on at the first row that has come.
  useEffect(() => {
    const at = before.current;
    if (at === null || count <= at) return;
    before.current = null;
    const row = list.current?.children[at];
    if (row instanceof HTMLElement) row.focus({ preventScroll: true });
  }, [count]);
  const seeMore = async (): Promise<void> => {
    before.current = count;
    const pages = data?.pages.length ?? 0;
    // A hint that comes meanwhile has the pages that are there asked for again, and breaks this off: it is asked once more.
    let seen = await fetchNextPage({ cancelRefetch: false });
    while (seen.isSuccess && seen.hasNextPage && seen.data.pages.length <= pages) {
      seen = await fetchNextPage({ cancelRefetch: false });
    }
    // Where none has come, the next new row must not take the focus.
    if (!seen.isSuccess || seen.data.pages.at(-1)?.length === 0) before.current = null;
  };
  return { list, seeMore };
}
