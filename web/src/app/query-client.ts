/** The cache of what the server has answered, and when a failed question is asked again. */
import { Refusal, statusOf } from '@recodery/contract/errors';
import { QueryClient } from '@tanstack/react-query';

/** A "no" stays a "no"; only a broken line or a server in trouble is asked again, three times. */
export function shouldAskAgain(failures: number, thrown: Error): boolean {
  const isNo = thrown instanceof Refusal && statusOf(thrown.code) < 500;
  return !isNo && failures < 3;
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: shouldAskAgain, staleTime: 10_000 } },
});
