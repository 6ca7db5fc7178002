/** What is answered to requests that are none: no HTTP at all, or a target that is no path of this site. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '@recodery/contract/errors';
import type { ConnectionError, FastifyInstance } from 'fastify';

// The answer that is under way on each connection.
const answers = new WeakMap<Socket, ServerResponse>();

const statusLines: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Answers what cannot be read as HTTP with one plain word, and ends the connection. */
export function answerMalformed(error: ConnectionError, socket: Socket): void {
  const answer = answers.get(socket);
  const isMidway = answer?.headersSent === true && !answer.writableEnded;
  if (error.code === 'ECONNRESET' || !socket.writable || isMidway) {
    socket.destroy();
    return;
  }
  const word = 'BAD_REQUEST';
  const lines = [
    `HTTP/1.1 ${statusLines[error.code] ?? '400 Bad Request'}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${word.length}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
    '',
    word,
  ];
  socket.end(lines.join('\r\n'), () => socket.destroy());
}

/** Refuses every target that is no path: a whole address would name a host that nobody here has checked. */
export function demandPaths(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    answers.set(request.raw.socket, reply.raw);
    if (request.raw.url?.startsWith('/') !== true) throw new Refusal('BAD_REQUEST');
  });
}
