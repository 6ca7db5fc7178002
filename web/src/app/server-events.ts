/** Subscribes to the server's and other tabs' events while a user is signed in. */
import { message } from '@recodery/contract/features/messages';
import { notification } from '@recodery/contract/features/notifications';
import { operation } from '@recodery/contract/features/operations';
import { serviceStatus } from '@recodery/contract/features/service-status';
import { type Session, session as sessionShape } from '@recodery/contract/features/session';
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import * as z from 'zod/mini';
import {
  onEvent,
  onStreamOpened,
  onStreamState,
  startEvents,
  streamIsUp,
} from '../api/events/events.ts';
import { hearSaved } from '../api/events/saved-settings.ts';
import { statusQuery } from '../features/service-status/service-status.ts';
import { sessionInTabs, takeSession } from '../features/session/session.ts';
import { useTexts } from '../i18n/texts.ts';
import { showToast } from '../ui/toasts/toast.tsx';

/** The last operations, also of colleagues, of which the stream's first events are only the caller's own. */
const operationsKey = ['code', 'last-operations'];

/** The queries that an event only hints at; its texts may be in another tab's language, so they are refetched. */
const hints = [
  ['message', z.array(message), ['messages']],
  ['notification', notification, ['code', 'notifications']],
  ['operation', operation, operationsKey],
] as const;

/**
 * Refetches queries. The response to a request that is already running may be older than the change: one more request
 * follows it, for all changes until then. It is not canceled: many events in a row would keep a slow list from loading.
 */
async function refetch(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const running = queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  await Promise.allSettled(running.flatMap(({ promise }) => promise ?? []));
  await queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
}

/** Applies the stream's reports about the engine, and refetches what it hints at. Returns the function that unsubscribes. */
export function hearHints(queries: QueryClient): () => void {
  const ends = hints.map(([name, shape, queryKey]) =>
    onEvent<z.ZodMiniType>(name, shape, () => void refetch(queries, queryKey)),
  );
  ends.push(
    onEvent('service-status', serviceStatus, (status) => {
      // the response to a poll that is already running may be older
      void queries.cancelQueries({ queryKey: statusQuery.queryKey });
      queries.setQueryData(statusQuery.queryKey, status);
    }),
  );
  return () => {
    for (const end of ends) end();
  };
}

/** Milliseconds for which what a page has loaded is current. */
const currentMs = 5000;

/**
 * Refetches what the stream reports when a connection is opened: a change before that, for example during a disconnect,
 * would otherwise be noticed minutes later. A page that has just been loaded requests only the operations again: the
 * stream begins with the newest notification of the last minute, and all of them are polled. Returns the function that
 * unsubscribes.
 */
export function askAfterBreaks(queries: QueryClient): () => void {
  const keys = [statusQuery.queryKey, ...hints.map(([, , queryKey]) => queryKey)];
  const begun = performance.now();
  let wasBroken = false;
  const ends = [
    onStreamState(() => {
      if (!streamIsUp()) wasBroken = true;
    }),
    onStreamOpened(() => {
      const isNew = !wasBroken && performance.now() < begun + currentMs;
      for (const queryKey of isNew ? [operationsKey] : keys) {
        // a request from before the break may never get a response
        if (wasBroken) void queries.cancelQueries({ queryKey });
        void refetch(queries, queryKey);
      }
      wasBroken = false;
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Keeps the event stream open and applies session changes from other tabs and the server. */
export function useServerEvents(): void {
  const { t } = useTexts();
  const queries = useQueryClient();
  const take = useEffectEvent((session: Session): void => {
    if (!takeSession(queries, session)) return;
    const code = session.customerCode;
    showToast({
      title: t('session.switched', { code, name: session.customerCodeNames[code] ?? '' }),
      detail: t('session.switchedAbout'),
    });
  });
  useEffect(() => startEvents(), []);
  useEffect(() => onEvent('session', sessionShape, (session) => take(session)), []);
  useEffect(() => sessionInTabs.subscribe((session) => take(session)), []);
  useEffect(() => hearHints(queries), [queries]);
  useEffect(() => hearSaved(queries), [queries]);
  useEffect(() => askAfterBreaks(queries), [queries]);
}
