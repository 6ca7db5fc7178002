/**
 * Takes a portal out of service without failing a request: it first reports that it is not ready, then accepts no new
 * connections, and finishes what is in progress.
 */
import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { endStreams } from './event-stream.ts';

/** How long a server takes to stop, in milliseconds. */
export interface DrainTimes {
  /** Serves everything, so that load balancers notice that it is not ready and choose another portal. */
  readonly delayMs: number;
  /** Finishes requests in progress; then they are aborted. */
  readonly patienceMs: number;
}

/** The share of the patience over which event streams end, so that not all browsers reconnect at once. */
const streamShare = 0.1;

/** Milliseconds between two checks for idle connections. */
const idleMs = 50;

/** Servers that are being taken out of service. */
const draining = new WeakSet<Server>();

/** Whether a server is being taken out of service. */
export function isDraining(server: Server): boolean {
  return draining.has(server);
}

/**
 * Makes a server that is being drained close each connection after its response, so that the next request goes to
 * another server.
 */
export function closeConnectionsWhenDraining(app: FastifyInstance): void {
  // before the handler for responses that are sent without Fastify, and after it for requests that were in progress
  app.addHook('onRequest', async (_request, reply) => {
    if (isDraining(app.server)) reply.header('connection', 'close');
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isDraining(app.server)) reply.header('connection', 'close');
  });
}

/**
 * Takes a listening server out of service; resolves when no connection is left, or the time has passed and the rest was
 * closed. Close the app afterward.
 */
export async function drain(app: FastifyInstance, times: DrainTimes): Promise<void> {
  const { server } = app;
  draining.add(server);
  await wait(times.delayMs, undefined, { ref: false });
  // not the app's: it would refuse requests that still arrive on open connections
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  endStreams(server, times.patienceMs * streamShare);
  // a response that began earlier, such as a stream's, keeps its connection open for the next request
  const closing = setInterval(() => server.closeIdleConnections(), idleMs);
  await Promise.race([closed, wait(times.patienceMs, undefined, { ref: false })]);
  clearInterval(closing);
  server.closeAllConnections();
}
