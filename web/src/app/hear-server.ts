/** Subscribes to the server's and other tabs' events while a user is signed in. */
import { type Session, session as sessionShape } from '@recodery/contract/session';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { onEvent, onStreamState, startEvents, streamIsUp } from '../api/events.ts';
import { sessionInTabs, takeSession } from '../features/session/session.ts';
import { useTexts } from '../i18n/texts.ts';
import { showToast } from '../ui/toast.tsx';

/** Queries that the stream only hints at: a change during a disconnect would otherwise be noticed minutes later. */
const hintedKeys = [['service-status'], ['messages'], ['code', 'notifications']] as const;

/** Refetches what the stream hints at each time it reconnects. Returns the function that unsubscribes. */
export function askAfterBreaks(queries: QueryClient): () => void {
  let wasBroken = false;
  return onStreamState(() => {
    if (!streamIsUp()) {
      wasBroken = true;
    } else if (wasBroken) {
      wasBroken = false;
      for (const queryKey of hintedKeys) void queries.invalidateQueries({ queryKey });
    }
  });
}

/** Keeps the event stream open and applies session changes from other tabs and the server. */
export function useServerHeard(): void {
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
  useEffect(() => sessionInTabs.hear((session) => take(session)), []);
  useEffect(() => askAfterBreaks(queries), [queries]);
}
