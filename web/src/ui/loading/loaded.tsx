/** The content that a query has loaded; until then gray bars, or why it failed. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FailurePanel } from '../display/problem-panel.tsx';
import { Skeleton } from '../display/skeleton.tsx';

export interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  /** Shown while the data is loading. */
  readonly waiting?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

export function Loaded<T>({
  query,
  waiting = <Skeleton lines={4} className="py-2" />,
  children,
}: LoadedProps<T>) {
  const { data, error, refetch, isFetching } = query;
  if (data !== undefined) return children(data);
  return error === null ? (
    waiting
  ) : (
    <FailurePanel thrown={error} onAgain={refetch} isAsking={isFetching} />
  );
}
