/** A client that stops reading its response is disconnected; one that reads slowly is not. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../fixtures/silent-log.ts';
import { createApp } from '../../src/http/app.ts';

/** More than the buffers of both sides can contain. */
const wholeBytes = 64 * 2 ** 20;

let app: FastifyInstance;
let port: number;
let accepted: Promise<Socket>;
beforeAll(async () => {
  app = await createApp({
    log: silentLog,
    trustedProxies: [],
    publicUrl: 'http://localhost',
    webDir: '/nowhere',
    isReady: async () => true,
    idleMs: 10_000,
  });
  app.get('/download', (_asked, reply) => {
    const piece = Buffer.alloc(64 * 1024);
    const pieces = function* () {
      for (let sent = 0; sent < wholeBytes; sent += piece.length) yield piece;
    };
    return reply.send(Readable.from(pieces()));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => app.close());

async function requestDownload(): Promise<{ readonly client: Socket; readonly server: Socket }> {
  accepted = once(app.server, 'connection').then(([socket]) => socket as Socket);
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write('GET /download HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
  return { client, server: await accepted };
}

test('a download that no one reads ends', async () => {
  const { client, server } = await requestDownload();
  client.pause();
  await once(server, 'close');
  expect(server.bytesWritten).toBeLessThan(wholeBytes);
  client.destroy();
});

test('a download that is read piece by piece arrives completely, however long it takes', async () => {
  const { client } = await requestDownload();
  const began = performance.now();
  let arrived = 0;
  let read = 0;
  for await (const piece of client) {
    arrived += (piece as Buffer).length;
    // at first with pauses, for longer than the limit; the system sends again only when much has been read
    if (arrived - read < 256 * 1024 || performance.now() - began > 12_000) continue;
    read = arrived;
    await new Promise((next) => setTimeout(next, 20));
  }
  expect(arrived).toBeGreaterThan(wholeBytes);
});
