/** What happens to a body that nobody reads: it is not asked for, or runs out for a while, and then is cut off. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Milliseconds for which the rest of a refused body is read and thrown away, so that the caller sees the answer. */
const lingerMs = 10_000;

// Callers that wait for "100 Continue" before they send their body.
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Tells a caller who waits for it that his body is wanted. */
export function askForBody(raw: IncomingMessage): void {
  waiting.get(raw)?.writeContinue();
  waiting.delete(raw);
}

/** Lets the rest of a body run out; whoever is not done after a while loses his connection. */
function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  const timer = setTimeout(() => raw.destroy(), lingerMs).unref();
  raw.once('close', () => clearTimeout(timer));
  raw.resume();
}

/**
 * Sends "100 Continue" for an upload only when its handler wants the body, so that a refused file is never sent, and
 * sees to bodies that were left unread when the answer went out. Closing the connection at once instead would make
 * the system throw our answer away with the unread bytes.
 */
export function guardUnreadBodies(app: FastifyInstance): void {
  app.server.on('checkContinue', (raw: IncomingMessage, response: ServerResponse) => {
    if (raw.headers['content-type']?.startsWith('multipart/') === true) waiting.set(raw, response);
    else response.writeContinue();
    app.server.emit('request', raw, response);
  });
  app.addHook('onSend', async (request, reply) => {
    if (waiting.has(request.raw)) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request) => discardRest(request.raw));
}
