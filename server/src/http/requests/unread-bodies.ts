/** Handles bodies that no route reads: they are not requested, or are drained for a while and then aborted. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Milliseconds for which the rest of a refused body is read and discarded, so that the caller sees the response. */
const lingerMs = 10_000;

// Callers that wait for "100 Continue" before they send their body.
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Sends "100 Continue" to a caller that waits for it. */
export function askForBody(raw: IncomingMessage): void {
  waiting.get(raw)?.writeContinue();
  waiting.delete(raw);
}

/** Drains the rest of a body; closes the connection if this takes too long. */
function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  const timer = setTimeout(() => raw.destroy(), lingerMs).unref();
  raw.once('close', () => clearTimeout(timer));
  raw.resume();
}

/**
 * Sends "100 Continue" for an upload only when its handler wants the body, so that a refused file is never sent, and
 * drains bodies that were left unread when the response was sent. If the connection were closed at once instead, the
 * system would discard our response along with the unread bytes.
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
