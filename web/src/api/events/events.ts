/**
 * The server's events for all tabs: one tab is the leader and opens the stream, the others receive the events over a
 * channel.
 */
import { type EventName, openEvents } from '@recodery/contract/features/operations';
import * as z from 'zod/mini';
import { readStream } from './event-stream.ts';

type ChannelMessage =
  | { readonly kind: 'event'; readonly name: EventName; readonly data: string }
  | { readonly kind: 'state'; readonly isUp: boolean }
  | { readonly kind: 'opened' }
  | { readonly kind: 'ask' };

const name = 'recodery.events';
const listeners = new Map<EventName, Set<(data: string) => void>>();
const stateListeners = new Set<() => void>();
const openedListeners = new Set<() => void>();
let isUp = false;

/** Whether the stream is connected in this browser; while it is not, the page polls. */
export function streamIsUp(): boolean {
  return isUp;
}

/** Calls `listener` when {@link streamIsUp} changes. Returns the function that unsubscribes. */
export function onStreamState(listener: () => void): () => void {
  stateListeners.add(listener);
  return () => stateListeners.delete(listener);
}

/**
 * Calls `listener` for each connection that is opened, by this tab or another: what changed before is not reported.
 * Returns the function that unsubscribes.
 */
export function onStreamOpened(listener: () => void): () => void {
  openedListeners.add(listener);
  return () => openedListeners.delete(listener);
}

/**
 * Subscribes to one kind of event, each with the record as its GET returns it. A record that does not match `schema` is
 * skipped: polling delivers the state anyway.
 */
export function onEvent<S extends z.ZodMiniType>(
  eventName: EventName,
  schema: S,
  listener: (record: z.output<S>) => void,
): () => void {
  const onData = (data: string): void => {
    const parsed = z.safeParse(schema, JSON.parse(data));
    if (parsed.success) listener(parsed.data);
  };
  const all = listeners.get(eventName) ?? new Set();
  listeners.set(eventName, all);
  all.add(onData);
  return () => all.delete(onData);
}

function setState(next: boolean): void {
  if (next === isUp) return;
  isUp = next;
  for (const listener of stateListeners) listener();
}

function publishOpened(): void {
  for (const listener of openedListeners) listener();
}

function publish(eventName: EventName, data: string): void {
  for (const listener of listeners.get(eventName) ?? []) listener(data);
}

/** Keeps the stream open until `signal` aborts, and forwards events to the other tabs. */
async function lead(channel: BroadcastChannel, signal: AbortSignal): Promise<void> {
  const post = (message: ChannelMessage): void => channel.postMessage(message);
  const answerAsk = (event: MessageEvent<ChannelMessage>): void => {
    if (event.data.kind === 'ask') post({ kind: 'state', isUp });
  };
  channel.addEventListener('message', answerAsk);
  try {
    await readStream(openEvents, signal, {
      onEvent: (eventName, data) => {
        publish(eventName, data);
        post({ kind: 'event', name: eventName, data });
      },
      onState: (next) => {
        setState(next);
        post({ kind: 'state', isUp: next });
        if (!next) return;
        publishOpened();
        post({ kind: 'opened' });
      },
    });
  } finally {
    channel.removeEventListener('message', answerAsk);
  }
}

/** Subscribes this tab to events, as leader or follower. Returns the function that unsubscribes. */
export function startEvents(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data: message }: MessageEvent<ChannelMessage>) => {
    if (message.kind === 'event') publish(message.name, message.data);
    else if (message.kind === 'state') setState(message.isUp);
    else if (message.kind === 'opened') publishOpened();
  };
  // Locks are unavailable outside a secure context: each tab then opens its own stream.
  if ('locks' in navigator) {
    navigator.locks
      .request(name, { signal }, () => lead(channel, signal))
      .catch((reason: unknown) => {
        if (!signal.aborted) throw reason;
      });
    channel.postMessage({ kind: 'ask' } satisfies ChannelMessage);
  } else {
    void lead(channel, signal);
  }
  return () => {
    stop.abort();
    channel.close();
    setState(false);
  };
}
