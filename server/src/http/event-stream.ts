/** Server-sent events: opens a stream, keeps it alive, queues records for a slow reader, and ends it. */
import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import type { EventName } from '@recodery/contract/features/operations';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { openStreams as measuredStreams } from '../metrics/metrics.ts';

/** An open stream to one browser. Events are state, not history: only the newest record of each object matters. */
export interface EventStream {
  /**
   * Sends a record. While the reader is slow, a later record with the same name and `guid` replaces a queued earlier
   * one.
   */
  send(event: EventName, record: unknown): void;
  /** Ends the stream; the browser reconnects if it still can. */
  end(): void;
  /** Aborted when either side has ended the stream. */
  readonly closed: AbortSignal;
}

export interface StreamTimes {
  /** Milliseconds between two comments that keep proxies from closing the connection. */
  readonly commentMs: number;
  /** Milliseconds after which a stream ends, so that browsers are redistributed over portals. */
  readonly lifeMs: number;
}

const usualTimes: StreamTimes = { commentMs: 15_000, lifeMs: 15 * 60_000 };
/** Maximum records queued for a slow reader; with more, a fresh stream is cheaper. */
const mostWaiting = 500;

/** The texts of records that were sent: many streams send the same record, which never changes. */
const writtenEvents = new WeakMap<object, string>();

/** The text of one event; JSON contains no line breaks, so one data line is enough. */
function writeEvent(name: string, record: unknown): string {
  const isShared = typeof record === 'object' && record !== null;
  const known = isShared ? writtenEvents.get(record) : undefined;
  const text = known ?? `event: ${name}\ndata: ${JSON.stringify(record)}\n\n`;
  if (isShared) writtenEvents.set(record, text);
  return text;
}

/** A stream's queue: passes texts to the reader at the reader's pace. */
function createQueue() {
  const waiting = new Map<string, string>();
  let isWanted = true;
  const source = new Readable({
    read: () => {
      isWanted = true;
      flush();
    },
  });
  const flush = (): void => {
    for (const [key, text] of waiting) {
      if (!isWanted) return;
      waiting.delete(key);
      isWanted = source.push(text);
    }
  };
  return {
    source,
    put(key: string, text: string): void {
      if (source.destroyed || source.readableEnded) return;
      waiting.set(key, text);
      if (waiting.size > mostWaiting) source.destroy();
      else flush();
    },
    end(): void {
      if (source.destroyed) return;
      // Discards the queue: the reader is slow, and the next stream begins with the current state.
      waiting.clear();
      source.push(null);
    },
  };
}

/** Identifies the object of a record; a record without a guid is the only one of its name. */
function keyOf(event: EventName, record: unknown): string {
  if (typeof record !== 'object' || record === null) return event;
  if ('guid' in record) return `${event} ${String(record.guid)}`;
  return 'slotGUID' in record ? `${event} ${String(record.slotGUID)}` : event;
}

/** The open streams of a server. */
interface Streams {
  readonly open: Set<EventStream>;
  /** A stream that is opened nevertheless ends immediately. */
  isEnding: boolean;
}

const streamsOf = new WeakMap<Server, Streams>();

/** Ends a server's streams when it is closed; otherwise they would keep it open for minutes. */
export function endStreamsOnClose(app: FastifyInstance): void {
  streamsOf.set(app.server, { open: new Set(), isEnding: false });
  app.addHook('preClose', async () => endStreams(app.server, 0));
}

/** Ends the streams of a server over this many milliseconds: each browser that loses one connects again. */
export function endStreams(server: Server, overMs: number): void {
  const streams = streamsOf.get(server);
  if (streams === undefined) return;
  streams.isEnding = true;
  for (const stream of streams.open)
    if (overMs > 0) setTimeout(stream.end, Math.random() * overMs).unref();
    else stream.end();
}

/** Responds to a request with a stream, which ends with its reader, its server, or its time limit. */
export function openEventStream(reply: FastifyReply, times: StreamTimes = usualTimes): EventStream {
  const { source, put, end } = createQueue();
  const closing = new AbortController();
  const comment = setInterval(() => put('comment', ': still here\n\n'), times.commentMs);
  const life = setTimeout(end, times.lifeMs);
  const stream: EventStream = {
    send: (event, record) => put(keyOf(event, record), writeEvent(event, record)),
    end,
    closed: closing.signal,
  };
  const streams = streamsOf.get(reply.server.server);
  streams?.open.add(stream);
  measuredStreams.inc();
  source.once('close', () => {
    clearInterval(comment);
    clearTimeout(life);
    streams?.open.delete(stream);
    measuredStreams.dec();
    closing.abort();
  });
  reply
    .type('text/event-stream; charset=utf-8')
    // Makes nginx and similar proxies forward each event immediately.
    .header('x-accel-buffering', 'no')
    .send(source);
  // The headers are sent with the first bytes: this shows the browser at once that the stream is open.
  put('comment', ': welcome\n\n');
  if (streams?.isEnding === true) end();
  return stream;
}
