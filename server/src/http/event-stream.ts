/** Server-sent events: how a stream is opened, kept alive, held back while its reader is slow, and ended. */
import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import type { EventName } from '@recodery/contract/operations';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** An open stream to one browser. Events are state, not history: of the same thing only the newest matters. */
export interface EventStream {
  /**
   * Sends a record. While the reader is slow, a later record of the same name and `guid` takes the place of an earlier
   * one that still waits.
   */
  send(event: EventName, record: unknown): void;
  /** Ends the stream; the browser opens another one when it still may. */
  end(): void;
  /** Aborted when the stream is over, whoever ended it. */
  readonly closed: AbortSignal;
}

export interface StreamTimes {
  /** Milliseconds between two comments that keep proxies from closing the connection. */
  readonly commentMs: number;
  /** Milliseconds after which a stream ends, so that browsers spread over portals anew. */
  readonly lifeMs: number;
}

const usualTimes: StreamTimes = { commentMs: 15_000, lifeMs: 15 * 60_000 };
/** Records that may wait for a slow reader; with more he is better off with a fresh start. */
const mostWaiting = 500;

/** The text of one event; JSON holds no line breaks, so one data line is enough. */
function writeEvent(name: string, record: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(record)}\n\n`;
}

/** A stream's queue: gives its texts to the reader as fast as he takes them. */
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
      // What waits is let go: the reader is slow, and his next stream begins with the state as it is then.
      waiting.clear();
      source.push(null);
    },
  };
}

/** Which thing a record is about; records without a guid are the only ones of their name. */
function keyOf(event: EventName, record: unknown): string {
  const hasGuid = typeof record === 'object' && record !== null && 'guid' in record;
  return hasGuid ? `${event} ${String(record.guid)}` : event;
}

// The open streams of each server.
const openStreams = new WeakMap<Server, Set<EventStream>>();

/** Sees to it that a server's streams end when it is closed: they would keep it open for minutes. */
export function endStreamsOnClose(app: FastifyInstance): void {
  const streams = new Set<EventStream>();
  openStreams.set(app.server, streams);
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });
}

/** Answers a request with a stream, which ends with its reader, its server, or after its time. */
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
  const streams = openStreams.get(reply.server.server);
  streams?.add(stream);
  source.once('close', () => {
    clearInterval(comment);
    clearTimeout(life);
    streams?.delete(stream);
    closing.abort();
  });
  reply
    .type('text/event-stream; charset=utf-8')
    // Tells nginx and its like to pass on each event at once.
    .header('x-accel-buffering', 'no')
    .send(source);
  // The answer's head goes out with the first bytes: the browser shall know at once that the stream stands.
  put('comment', ': welcome\n\n');
  return stream;
}
