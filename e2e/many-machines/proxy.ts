/**
 * A plain reverse proxy as operators use one: it asks each portal whether it is ready, sends requests in turn to those that
 * are, and tries another one only if it could not connect.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** Milliseconds between two health checks, and that one may take: a busy machine must not look like a dead portal. */
const checks = { everyMs: 200, patienceMs: 30_000 };

export interface PlainProxy {
  readonly url: string;
  /** Requests that were sent to each portal, by its port. */
  readonly sent: ReadonlyMap<number, number>;
  /** The ports of the portals that are ready. */
  listReady(): readonly number[];
  stop(): Promise<void>;
}

/** Whether a portal is ready for requests. */
function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, path: '/readyz', timeout: checks.patienceMs, agent: false })
      .once('response', (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      })
      .once('timeout', () => resolve(false))
      .once('error', () => resolve(false))
      .end();
  });
}

/** Starts a proxy for the portals at these ports of this machine; `port` 0 takes any free one. */
export async function startPlainProxy(ports: readonly number[], port = 0): Promise<PlainProxy> {
  const ready = new Set<number>();
  const sent = new Map<number, number>();
  // connections are kept, as with nginx: a portal that stops must not close them under a request
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  let isStopped = false;
  const check = async (one: number): Promise<void> => {
    if (await isReady(one)) ready.add(one);
    else ready.delete(one);
    if (!isStopped) setTimeout(() => void check(one), checks.everyMs).unref();
  };
  const forward = (
    asked: IncomingMessage,
    answer: ServerResponse,
    tried: ReadonlySet<number>,
  ): void => {
    const candidates = [...ready].filter((one) => !tried.has(one));
    const chosen = candidates[turn++ % candidates.length];
    if (chosen === undefined) {
      answer.writeHead(502).end('no portal is ready');
      return;
    }
    const upstream = request({
      host: '127.0.0.1',
      port: chosen,
      method: asked.method,
      path: asked.url,
      headers: { ...asked.headers, 'x-forwarded-for': asked.socket.remoteAddress ?? '' },
      agent,
    });
    upstream.once('response', (given) => {
      sent.set(chosen, (sent.get(chosen) ?? 0) + 1);
      answer.writeHead(given.statusCode ?? 502, given.rawHeaders);
      pipeline(given, answer, () => undefined);
    });
    upstream.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') {
        ready.delete(chosen);
        forward(asked, answer, new Set([...tried, chosen]));
      } else if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(`the portal failed: ${error.code}`);
    });
    answer.once('close', () => upstream.destroy());
    // the body is sent once it is known that a portal takes it
    upstream.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => asked.pipe(upstream));
      else asked.pipe(upstream);
    });
  };
  await Promise.all(ports.map(check));
  const server = createServer((asked, answer) => forward(asked, answer, new Set()));
  // an upload can take longer than Node's default
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    listReady: () => [...ready],
    async stop() {
      isStopped = true;
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
