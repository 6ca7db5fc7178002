/** Runs the recoding page: the reducer's state, the user's commands, and the background work. */
import { operation as operationShape } from '@recodery/contract/features/operations';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { startDownload } from '../../../api/files/download.ts';
import { onEvent, onStreamState, streamIsUp } from '../../../api/events/events.ts';
import { useOwnNotification } from '../../notifications/notifications.ts';
import { seenHere, useShownHere } from '../../notifications/seen-here.ts';
import { followOperation, type OperationStream } from '../../operations/follow-operation.ts';
import { expectDownload, takeExpectedDownload } from './downloads.ts';
import type { FamilyPage } from '../families/family-page.ts';
import type { Fault } from '../fault.ts';
import type { FlowEvent } from './state/flow-events.ts';
import { type Commands, commandsOn, type Ground } from './recoding-commands.ts';
import type { FlowStore } from './state/flow-store.ts';
import type { LivePage } from './live-pages.ts';
import type { Flow } from './state/recoding-flow.ts';
import { useFollowedDraft } from './drafts/use-followed-draft.ts';
import {
  arrivalOf,
  decodeEnd,
  encodeEnd,
  operationFollowed,
  operationOnShow,
  operationSent,
} from './state/resume-operation.ts';

const stream: OperationStream = {
  isUp: streamIsUp,
  onOperation: (listener) => onEvent('operation', operationShape, listener),
  onUpOrDown: onStreamState,
};

type Given = Pick<
  Ground,
  'page' | 'device' | 'isEngineUp' | 'maxFileBytes' | 'takesForeignFiles'
> & {
  readonly live: LivePage;
};

export interface Recoding extends Commands {
  readonly flow: Flow;
  readonly dispatch: (event: FlowEvent) => void;
  /** The read file that the page has last taken or refused. */
  readonly heldFile: () => File | null;
}

/** Follows the operation whose end the page learns from the operation itself, and reports its result to the flow. */
function useFollowing(page: FamilyPage, flow: Flow, dispatch: FlowStore['dispatch']): void {
  const client = useQueryClient();
  const followed = operationFollowed(flow);
  const guid = followed?.guid ?? null;
  const isResumed = followed?.isResumed ?? false;
  const isAwaited = followed?.isAwaited ?? false;
  const isDecode = flow.at === 'decoding';
  useEffect(() => {
    if (guid === null) return;
    if (isAwaited) expectDownload(guid);
    const fail = (fault: Fault): unknown =>
      dispatch({ type: isDecode ? 'decode-failed' : 'encode-failed', operationGUID: guid, fault });
    return followOperation(
      { client, stream },
      { guid, isResumed },
      {
        // A result that does not match the contract rejects here and is shown as an internal error.
        onEnded: (ended) =>
          void Promise.resolve(ended)
            .then((done) => (isDecode ? decodeEnd(page, done) : encodeEnd(done)))
            .then(dispatch, (thrown: unknown) => fail({ kind: 'refused', thrown })),
        onRefused: (thrown) => fail({ kind: 'refused', thrown }),
        // This page does not wait for it, and perhaps no notification will ever report it.
        onLost: isAwaited ? () => void fail({ kind: 'lost', operationGUID: guid }) : null,
      },
    );
  }, [client, page, dispatch, guid, isResumed, isAwaited, isDecode]);
}

/** Reports the status of the sent encode to the flow each time its notification changes. */
function useSendingNews(flow: Flow, dispatch: FlowStore['dispatch']): void {
  const hasEnded = flow.at === 'decoded' && flow.encode.at === 'encoded';
  const news = useOwnNotification(operationSent(flow), hasEnded);
  useEffect(() => {
    if (news) dispatch({ type: 'sending-reported', news });
  }, [news, dispatch]);
}

/** Starts the download that the user has waited for, once. */
function useArrivals(flow: Flow): void {
  const arrival = arrivalOf(flow);
  const operationGUID = arrival?.operationGUID;
  const url = arrival?.url;
  useEffect(() => {
    if (!operationGUID || !url || !takeExpectedDownload(operationGUID)) return;
    startDownload(url);
    seenHere(operationGUID);
  }, [operationGUID, url]);
}

/** A recoding page: its state and its commands. Leaving the page ends neither. */
export function useRecoding({ live: { store, uploads }, ...given }: Given): Recoding {
  const flow = useSyncExternalStore(store.subscribe, store.now);
  useFollowing(given.page, flow, store.dispatch);
  useSendingNews(flow, store.dispatch);
  useArrivals(flow);
  useShownHere(operationOnShow(flow));
  useFollowedDraft(flow);
  return {
    flow,
    dispatch: store.dispatch,
    heldFile: () => store.held()?.file ?? null,
    ...commandsOn({ ...given, store, uploads }),
  };
}
