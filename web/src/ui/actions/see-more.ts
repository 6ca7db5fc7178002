/** "See more" below a paged list: requests the next page, and moves the focus to the first new row. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';

type Paged = Pick<
  UseInfiniteQueryResult<InfiniteData<readonly unknown[], unknown>>,
  'data' | 'fetchNextPage'
>;

export interface SeeMore<List extends HTMLElement> {
  /** For the element whose children are the rows; they must be focusable. */
  readonly list: RefObject<List | null>;
  readonly seeMore: () => Promise<void>;
}

/** `count` is the number of visible rows. */
export function useSeeMore<List extends HTMLElement>(
  count: number,
  { data, fetchNextPage }: Paged,
): SeeMore<List> {
  const list = useRef<List>(null);
  // The number of rows when more were requested.
  const before = useRef<number | null>(null);
  // The button may disappear with the last page; the focus moves to the first new row.
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
    // A hint in the meantime refetches the loaded pages and cancels this request: it is sent again.
    let seen = await fetchNextPage({ cancelRefetch: false });
    while (seen.isSuccess && seen.hasNextPage && seen.data.pages.length <= pages) {
      seen = await fetchNextPage({ cancelRefetch: false });
    }
    // If no rows arrived, the next new row must not take the focus.
    if (!seen.isSuccess || seen.data.pages.at(-1)?.length === 0) before.current = null;
  };
  return { list, seeMore };
}
