/** Follows an operation until it finishes: by the event stream while it is up, otherwise by polling. */
import { statusOf } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import {
  getOperation,
  type Operation,
  pollingFailureLimit,
  resumedPollingInterval,
} from '@recodery/contract/features/operations';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** The event stream, limited to operations. */
export interface OperationStream {
  readonly isUp: () => boolean;
  /** Calls the listener for each operation that the stream reports. Returns the function that unsubscribes. */
  readonly onOperation: (listener: (operation: Operation) => void) => () => void;
  /** Calls the listener when the stream goes up or down. Returns the function that unsubscribes. */
  readonly onUpOrDown: (listener: () => void) => () => void;
}

/** Which operation to follow; `isResumed` if this page did not start it. */
export interface Followed {
  readonly guid: string;
  readonly isResumed: boolean;
}

/**
 * The callbacks: for each step, for the end, and for the two ways in which polling stops before it. `onRefused` gets a
 * refusal that a retry does not change; after `onLost`, the operation may still be running. Without `onLost`, polling
 * continues until the server answers.
 */
export interface Follower {
  readonly onStep?: (operation: Operation) => void;
  readonly onEnded: (operation: Operation) => void;
  readonly onRefused: (refusal: Refusal) => void;
  readonly onLost: (() => void) | null;
}

export interface FollowParts {
  readonly client: QueryClient;
  readonly stream: OperationStream;
  /** Requests the operation from the server; defaults to the contract's call. */
  readonly read?: (guid: string, signal: AbortSignal) => Promise<Operation>;
}

/** Refusals that a retry does not change. */
const finalStatuses: ReadonlySet<number> = new Set([401, 404, 422]);

function isFinal(thrown: unknown): thrown is Refusal {
  return thrown instanceof Refusal && finalStatuses.has(statusOf(thrown.code));
}

function readOperation(guid: string, signal: AbortSignal): Promise<Operation> {
  return call(getOperation, { params: { guid } }, { signal });
}

/** The query key of an operation; it is removed with the customer code. */
export function operationKey(guid: string): readonly [string, string, string] {
  return ['code', 'operation', guid];
}

/** Seconds until the next poll; while the stream is up, only a slow poll remains to verify it. */
function pause(operation: Operation | undefined, isResumed: boolean, isStreamUp: boolean): number {
  if (isResumed || isStreamUp) return resumedPollingInterval;
  return operation?.suggestedPollingInterval ?? 1;
}

/**
 * Follows an operation until it finishes, or until four requests in a row fail if `onLost` is given. It is always requested once at the
 * start, because it may have finished before anyone subscribed. Returns the function that stops following.
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
      // The stream may have reported the end while an older response was on its way.
      return meanwhile?.isCompleted ? meanwhile : answer;
    },
    staleTime: 0,
    networkMode: 'always',
    retry: (failures, thrown) =>
      (failures < pollingFailureLimit - 1 || follower.onLost === null) && !isFinal(thrown),
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
    // Setting the options again restarts the observer's interval.
    stream.onUpOrDown(() => observer.setOptions(observer.options)),
    observer.subscribe(({ data, status, fetchStatus, error }) => {
      if (data?.isCompleted) {
        stop();
        follower.onEnded(data);
      } else if (status === 'error' && fetchStatus === 'idle') {
        // After a lost connection, the status remains `error` until a request succeeds; only an idle query has given up.
        stop();
        if (isFinal(error)) follower.onRefused(error);
        else follower.onLost?.();
      } else if (data) {
        follower.onStep?.(data);
      }
    }),
  );
  return stop;
}
