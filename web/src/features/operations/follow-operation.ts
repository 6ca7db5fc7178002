/** Follows an operation to its end: by the stream of events while it is up, else by asking again and again. */
import { Refusal, statusOf } from '@recodery/contract/errors';
import {
  getOperation,
  type Operation,
  pollingFailureLimit,
  resumedPollingInterval,
} from '@recodery/contract/operations';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** The stream of events, as far as operations are concerned. */
export interface OperationStream {
  readonly isUp: () => boolean;
  /** Tells of each operation that the stream reports. Gives back how to stop listening. */
  readonly onOperation: (listener: (operation: Operation) => void) => () => void;
  /** Tells when the stream has come up or gone down. Gives back how to stop listening. */
  readonly onUpOrDown: (listener: () => void) => () => void;
}

/** Which operation is followed; `isResumed` where this page did not start it. */
export interface Followed {
  readonly guid: string;
  readonly isResumed: boolean;
}

/** Who is told: of each step, of the end, or of the failure after which nobody asks any more. */
export interface Follower {
  readonly onStep?: (operation: Operation) => void;
  readonly onEnded: (operation: Operation) => void;
  readonly onLost: (thrown: unknown) => void;
}

export interface FollowParts {
  readonly client: QueryClient;
  readonly stream: OperationStream;
  /** Asks the server for the operation; the contract's call where nothing else is given. */
  readonly read?: (guid: string, signal: AbortSignal) => Promise<Operation>;
}

/** Answers that no repetition changes. */
const finalStatuses: ReadonlySet<number> = new Set([401, 404, 422]);

function isFinal(thrown: unknown): boolean {
  return thrown instanceof Refusal && finalStatuses.has(statusOf(thrown.code));
}

function readOperation(guid: string, signal: AbortSignal): Promise<Operation> {
  return call(getOperation, { params: { guid } }, { signal });
}

/** The key under which an operation is kept; it is forgotten with the customer code. */
export function operationKey(guid: string): readonly [string, string, string] {
  return ['code', 'operation', guid];
}

/** Seconds until the next question; a stream that is up leaves only the slow one that proves it alive. */
function pause(operation: Operation | undefined, isResumed: boolean, isStreamUp: boolean): number {
  if (isResumed || isStreamUp) return resumedPollingInterval;
  return operation?.suggestedPollingInterval ?? 1;
}

/**
 * Follows an operation until it has ended, or until four requests in a row have failed. It is asked for once at the
 * start in any case, since its end may have been told before anybody listened. Gives back how to stop.
 */
export function followOperation(
  { client, stream, read = readOperation }: FollowParts,
  { guid, isResumed }: Followed,
  follower: Follower,
): () => void {
  const queryKey = operationKey(guid);
  const known = () => client.getQueryData<Operation>(queryKey);
  const seconds = () => pause(known(), isResumed, stream.isUp());
  const observer = new QueryObserver<Operation>(client, {
    queryKey,
    queryFn: async ({ signal }) => {
      const answer = await read(guid, signal);
      const meanwhile = known();
      // The stream may have told the end while an older answer was on its way.
      return meanwhile?.isCompleted ? meanwhile : answer;
    },
    staleTime: 0,
    networkMode: 'always',
    retry: (failures, thrown) => failures < pollingFailureLimit - 1 && !isFinal(thrown),
    retryDelay: () => seconds() * 1000,
    refetchInterval: ({ state }) =>
      state.status === 'error' || state.data?.isCompleted ? false : seconds() * 1000,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const stops: (() => void)[] = [];
  const stop = (): void => {
    for (const end of stops.splice(0)) end();
  };
  stops.push(
    stream.onOperation((operation) => {
      if (operation.guid === guid) client.setQueryData(queryKey, operation);
    }),
    // Set anew, the observer counts its interval anew.
    stream.onUpOrDown(() => observer.setOptions(observer.options)),
    observer.subscribe(({ data, status, error }) => {
      if (data?.isCompleted) {
        stop();
        follower.onEnded(data);
      } else if (status === 'error') {
        stop();
        follower.onLost(error);
      } else if (data) {
        follower.onStep?.(data);
      }
    }),
  );
  return stop;
}
