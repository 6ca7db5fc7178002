/** A body that does not arrive closes its connection; a response that takes long does not. */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { silentLog } from '../fixtures/silent-log.ts';

/** Milliseconds that a body can take in this test; a response takes several times as long. */
const bodyMs = 40;

let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  app = await createApp({
    log: silentLog,
    trustedProxies: [],
    publicUrl: 'http://localhost',
    webDir: '/nowhere',
    isReady: async () => true,
    bodyMs,
  });
  for (const method of ['GET', 'POST'] as const) {
    app.route({
      method,
      url: '/long',
      handler: (_asked, reply) => reply.send(Readable.from(slowly())),
    });
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => app.close());

async function* slowly(): AsyncGenerator<string> {
  yield 'begun';
  await wait(5 * bodyMs);
  yield ' and ended';
}

function open(method: string, headers: Record<string, string | number> = {}): ClientRequest {
  return request({ host: '127.0.0.1', port, path: '/long', method, headers });
}

async function textOf(asked: ClientRequest): Promise<string> {
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const piece of answer) text += String(piece);
  return text;
}

test.each(['GET', 'POST'])('a %s without a body gets its complete response', async (method) => {
  const asked = open(method);
  asked.end();
  expect(await textOf(asked)).toBe('begun and ended');
});

test('after a complete body, the response can take as long as it needs', async () => {
  const asked = open('POST', { 'content-type': 'application/json' });
  asked.end('{}');
  expect(await textOf(asked)).toBe('begun and ended');
});

test('a body that stops midway closes its connection', async () => {
  const asked = open('POST', { 'content-type': 'application/json', 'content-length': 10 });
  asked.write('{"a"');
  const [error] = (await once(asked, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNRESET');
});
