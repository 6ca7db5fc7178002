/** Reads the stream of server-sent events and reconnects when it breaks. */
import type { Route } from '@recodery/contract/api';
import { sessionHeader } from '@recodery/contract/headers';
import { type EventName, eventNames } from '@recodery/contract/features/operations';
import { headersOf, renewSession } from '../call.ts';
import { expireSession, readSessionId } from '../session-id.ts';

export interface StreamSubscriber {
  readonly onEvent: (name: EventName, data: string) => void;
  readonly onState: (isUp: boolean) => void;
}

/** Milliseconds without data after which the stream counts as dead; the server sends a comment every 15 s. */
const silence = 40_000;

/** Milliseconds that a connection must last to count as successful; one that ends immediately counts as a failure. */
const soundAfter = 10_000;

/**
 * Milliseconds before attempt `attempt` (from 0): exponential backoff from 1 s to 30 s, and at least the delay that the
 * server requests, with jitter so that tabs do not reconnect at once.
 */
export function pauseBefore(attempt: number, random: number, retryAfter = 0): number {
  const backoff = Math.min(30_000, 1000 * 2 ** attempt) * (0.5 + random / 2);
  return Math.max(backoff, retryAfter * (1 + random / 2));
}

/** Upper limit in milliseconds for the retry delay that the server requests: a proxy may request hours. */
const longestWish = 300_000;

function isEventName(name: string | undefined): name is EventName {
  return eventNames.some((known) => known === name);
}

/** Waits until the time has passed, `signal` aborts, or the browser is back online. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      globalThis.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
    globalThis.addEventListener('online', done);
  });
}

/** The state of a connection. */
interface Connection {
  /** False if it could not be opened. */
  readonly wasOpen: boolean;
  /** The retry delay that the server requests, in milliseconds; 0: none. */
  readonly retryAfter: number;
}

/** One connection, until it ends. */
async function readOnce(
  route: Route,
  outer: AbortSignal,
  { onEvent, onState }: StreamSubscriber,
): Promise<Connection> {
  const sessionId = readSessionId();
  const watch = new AbortController();
  // without a network, a connection may look alive for minutes
  const cut = (): void => watch.abort();
  globalThis.addEventListener('offline', cut);
  let timer = setTimeout(() => watch.abort(), silence);
  const stillThere = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => watch.abort(), silence);
  };
  try {
    const response = await fetch(route.path, {
      headers: { ...headersOf(route, sessionId), Accept: 'text/event-stream' },
      cache: 'no-store',
      signal: AbortSignal.any([outer, watch.signal]),
    });
    renewSession(response.headers.get(sessionHeader));
    if (response.status === 401) expireSession(sessionId);
    if (!response.ok || response.body === null) {
      // there are too many streams, or the service is suspended: the page polls until then
      const seconds = Number(response.headers.get('retry-after')) || 0;
      return { wasOpen: false, retryAfter: Math.min(longestWish, 1000 * seconds) };
    }
    // loaded with the first events, which no page waits for
    const { createParser } = await import('eventsource-parser');
    onState(true);
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (isEventName(event)) onEvent(event, data);
      },
    });
    for await (const text of textsOf(response.body)) {
      stillThere();
      parser.feed(text);
    }
    return { wasOpen: true, retryAfter: 0 };
  } finally {
    clearTimeout(timer);
    globalThis.removeEventListener('offline', cut);
    onState(false);
  }
}

/** Yields the body's text in chunks. Uses a reader, since Safari's streams cannot be iterated. */
async function* textsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Reads the stream until `signal` aborts. Reconnects after a break, waiting longer after each failure. */
export async function readStream(
  route: Route,
  signal: AbortSignal,
  subscriber: StreamSubscriber,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    // A connection that cannot be opened or breaks rejects; both only mean: retry later.
    const begun = Date.now();
    const broken = { wasOpen: false, retryAfter: 0 };
    const { wasOpen, retryAfter } = await readOnce(route, signal, subscriber).catch(() => broken);
    failures = wasOpen && Date.now() - begun > soundAfter ? 0 : failures + 1;
    if (!signal.aborted) await pause(pauseBefore(failures, Math.random(), retryAfter), signal);
  }
}
