/** One request to a receiver: where it connects to, what it sends, and how it ends when the receiver misbehaves. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { createServer as createTlsServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post } from '../../src/webhooks/post.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let tls: { readonly key: string; readonly cert: string };
const servers: Server[] = [];
beforeAll(async () => {
  receiver = await startReceiver();
  tls = await readCertificate();
});
afterAll(async () => {
  for (const server of servers) server.close();
  await receiver.stop();
});

/** A certificate for hook.test that no one trusts, valid for a hundred years, and its key. */
async function readCertificate() {
  const read = (name: string) => readFile(join(import.meta.dirname, name), 'utf8');
  return { key: await read('hook-test-key.pem'), cert: await read('hook-test-cert.pem') };
}

const patient = { connect: 60_000, whole: 60_000, rest: 60_000 };

function send(address: string, limits: Partial<typeof patient> = {}, addresses = ['127.0.0.1']) {
  const sent = { url: new URL(address), addresses, headers: { 'x-test': 'a' }, body: '{"a":1}' };
  return post(sent, new AbortController().signal, { ...patient, ...limits });
}

/** A server that accepts connections but sends nothing. */
async function startSilent(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume();
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

describe('A request', () => {
  // promise e2.webhooks.checked
  test('goes to the checked address, regardless of what its host name leads to, and names that host', async () => {
    const url = `http://hook.test:${receiver.port}/a/b?token=c#part`;
    expect(await send(url)).toEqual({ status: 204, error: null });
    const { path, headers, body } = await receiver.next();
    expect([path, headers['host'], headers['x-test'], body]).toEqual([
      '/a/b?token=c',
      `hook.test:${receiver.port}`,
      'a',
      '{"a":1}',
    ]);
  });

  test('names the host to a TLS server, and does not trust an unknown certificate', async () => {
    const asked = Promise.withResolvers<string>();
    const server = createTlsServer({
      ...tls,
      SNICallback: (name, done) => {
        asked.resolve(name);
        done(null, createSecureContext(tls));
      },
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const posted = await send(`https://hook.test:${port}/`);
    expect(posted).toEqual({ status: null, error: 'CERTIFICATE_NOT_TRUSTED' });
    expect(await asked.promise).toBe('hook.test');
  });

  test.each([301, 302, 303, 307, 308])(
    'does not follow a redirect with status %i',
    async (code) => {
      const other = await startReceiver();
      receiver.respond = (_request, response) =>
        void response.writeHead(code, { location: other.url }).end();
      expect(await send(receiver.url)).toEqual({ status: code, error: null });
      expect(other.received).toEqual([]);
      await other.stop();
    },
  );

  test('fails if nothing listens', async () => {
    const gone = await startReceiver();
    await gone.stop();
    expect(await send(gone.url)).toEqual({ status: null, error: 'CONNECTION_REFUSED' });
  });
});

describe('A receiver', () => {
  test('that accepts the connection and never responds is disconnected at the time limit', async () => {
    const port = await startSilent();
    const timedOut = { status: null, error: 'TIMEOUT' };
    expect(await send(`http://127.0.0.1:${port}/`, { whole: 50 })).toEqual(timedOut);
    expect(await send(`https://127.0.0.1:${port}/`, { connect: 50 })).toEqual(timedOut);
  });

  test('that responds with 2 GB is disconnected early', async () => {
    let written = 0;
    const cut = Promise.withResolvers<void>();
    receiver.respond = (_request, response) => {
      const piece = Buffer.alloc(1 << 20);
      response.writeHead(200, { 'content-length': String(2 ** 31) });
      const write = (): void => {
        while (!response.destroyed && written < 2 ** 31) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', write);
        }
      };
      response.once('close', cut.resolve);
      write();
    };
    expect(await send(receiver.url)).toEqual({ status: 200, error: null });
    await cut.promise;
    // the capacity of the buffers on both ends
    expect(written).toBeLessThan(64 * 2 ** 20);
  });

  test('that never ends its response has accepted the message', async () => {
    receiver.respond = (_request, response) => void response.writeHead(202).write('a');
    expect(await send(receiver.url, { rest: 50 })).toEqual({ status: 202, error: null });
  });

  test.each([
    ['another protocol', 'SSH-2.0-x\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`],
    ['nothing', ''],
    ['another protocol by request', 'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ])('that responds with %s has failed', async (_what, response) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(response));
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const failed = { status: null, error: 'CONNECTION_FAILED' };
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual(failed);
  });
});
