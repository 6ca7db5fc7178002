/** Responds to invalid requests: not HTTP, or with a target that is not a path of this site. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '@recodery/contract/refusal';
import type { ConnectionError, FastifyInstance } from 'fastify';

// The response in progress on each connection.
const answers = new WeakMap<Socket, ServerResponse>();

const statusLines: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Responds with one plain word to data that cannot be parsed as HTTP, and ends the connection. */
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
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    'connection: close',
    '',
    word,
  ];
  socket.end(lines.join('\r\n'), () => socket.destroy());
}

/** Whether a request names its host twice: a proxy may have checked another one than we would use. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, at) => at % 2 === 0);
  return names.filter((name) => name.toLowerCase() === 'host').length > 1;
}

/** Refuses every target that is not a path: an absolute URL would name a host that no code checks. */
export function requirePaths(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    answers.set(request.raw.socket, reply.raw);
    const isPath = request.raw.url?.startsWith('/') === true;
    if (!isPath || namesTwoHosts(request.raw)) throw new Refusal('BAD_REQUEST');
  });
}
