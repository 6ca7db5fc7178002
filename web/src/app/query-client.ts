/**
 * The cache of the server's responses, and the rules for retrying a failed request and for requests without a network.
 */
import { statusOf } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import { QueryClient } from '@tanstack/react-query';

/** A refusal is final; only network and server errors are retried, three times. */
export function shouldAskAgain(failures: number, thrown: Error): boolean {
  const isNo = thrown instanceof Refusal && statusOf(thrown.code) < 500;
  return !isNo && failures < 3;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: shouldAskAgain, staleTime: 10_000 },
    // without a network, an action fails immediately: by default it would wait, and run later without confirmation
    mutations: { networkMode: 'always' },
  },
});
