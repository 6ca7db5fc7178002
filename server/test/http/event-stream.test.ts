/** Server-sent events: what a client receives, and how a stream ends. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createApp } from '../../src/http/app.ts';
import {
  type EventStream,
  openEventStream,
  type StreamTimes,
} from '../../src/http/event-stream.ts';

let app: FastifyInstance;
let opened: PromiseWithResolvers<EventStream>;
let times: StreamTimes;
beforeEach(async () => {
  opened = Promise.withResolvers();
  times = { commentMs: 60_000, lifeMs: 60_000 };
  app = await createApp({
    log: pino({ level: 'silent' }),
    trustedProxies: [],
    publicUrl: 'http://localhost',
    webDir: '/nowhere',
    isReady: async () => true,
  });
  app.get('/stream', async (_request, reply) => {
    opened.resolve(openEventStream(reply, times));
    return reply;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

/** Opens the stream as a browser does; the response is read only on demand. */
async function connect(): Promise<{ answer: IncomingMessage; stream: EventStream }> {
  const [answer] = (await once(get(`${app.listeningOrigin}/stream`), 'response')) as [
    IncomingMessage,
  ];
  return { answer, stream: await opened.promise };
}
/** Reads until the text contains a string. */
async function readUntil(answer: IncomingMessage, wanted: string): Promise<string> {
  let text = '';
  answer.setEncoding('utf8');
  for await (const piece of answer.iterator({ destroyOnReturn: false })) {
    text += piece;
    if (text.includes(wanted)) break;
  }
  return text;
}

describe('an event stream', () => {
  // promise d6.push.comment
  test('opens immediately, with a header that keeps proxies from buffering it', async () => {
    const { answer } = await connect();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toContain('text/event-stream');
    expect(answer.headers['x-accel-buffering']).toBe('no');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await readUntil(answer, '\n\n')).toBe(': welcome\n\n');
    answer.destroy();
  });

  test('delivers records in the order in which they were sent, each on one line', async () => {
    const { answer, stream } = await connect();
    stream.send('operation', { guid: 'a', text: 'two\nlines' });
    stream.send('message', { text: 'x' });
    const text = await readUntil(answer, 'event: message');
    expect(text).toContain('event: operation\ndata: {"guid":"a","text":"two\\nlines"}\n\n');
    answer.destroy();
  });

  // promise d6.push.comment
  test('sends a comment periodically', async () => {
    times = { commentMs: 5, lifeMs: 60_000 };
    const { answer } = await connect();
    expect(await readUntil(answer, 'here')).toContain(': still here\n\n');
    answer.destroy();
  });

  // promise d6.push.ends
  test('ends after its time limit, on request, and with the server', async () => {
    times = { commentMs: 60_000, lifeMs: 5 };
    const first = await connect();
    await readUntil(first.answer, 'until its end');
    expect(first.answer.complete).toBe(true);

    times = { commentMs: 60_000, lifeMs: 60_000 };
    opened = Promise.withResolvers();
    const second = await connect();
    second.stream.send('message', { text: 'last words' });
    second.stream.end();
    expect(await readUntil(second.answer, 'until its end')).toContain('last words');
    expect(second.answer.complete).toBe(true);

    opened = Promise.withResolvers();
    const third = await connect();
    await Promise.all([app.close(), readUntil(third.answer, 'until its end')]);
    expect(third.answer.complete).toBe(true);
  });

  test('reports when its client has disconnected', async () => {
    const { answer, stream } = await connect();
    answer.destroy();
    if (!stream.closed.aborted) await once(stream.closed, 'abort');
    expect(stream.closed.aborted).toBe(true);
    stream.send('message', { text: 'to nobody' });
  });

  test('keeps only the newest record of each kind for a slow client', async () => {
    const { answer, stream } = await connect();
    const filler = 'x'.repeat(100_000);
    for (let step = 0; step < 200; step += 1) {
      stream.send('operation', { guid: 'slow', step, filler });
    }
    stream.send('message', { text: 'the end' });
    const text = await readUntil(answer, 'the end');
    const steps = [...text.matchAll(/"step":(\d+)/g)].map(([, step]) => Number(step));
    expect(steps.at(-1)).toBe(199);
    expect(steps.length).toBeLessThan(200);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    answer.destroy();
  });

  test('drops a client when too much is queued for it', async () => {
    const { answer, stream } = await connect();
    const filler = 'x'.repeat(100_000);
    for (let index = 0; index < 600; index += 1) {
      stream.send('operation', { guid: String(index), filler });
    }
    if (!stream.closed.aborted) await once(stream.closed, 'abort');
    expect(stream.closed.aborted).toBe(true);
    answer.destroy();
  });
});
