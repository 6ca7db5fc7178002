/** A real web server that receives webhooks as a customer's program would, and verifies them with the library. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A message as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How the receiver responds. By default with 204. */
type Respond = (...args: [...Parameters<RequestListener>, Received]) => void;

export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly received: readonly Received[];
  /** Replaces the response to later requests. */
  respond: Respond;
  /** The next message that no earlier call has returned. */
  next(): Promise<Received>;
  stop(): Promise<void>;
}

const accept: Respond = (_request, response) => {
  response.writeHead(204).end();
};

/** Starts a receiver on a loopback port. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: ((one: Received) => void)[] = [];
  let taken = 0;
  const handle: RequestListener = (request, response) => {
    void text(request).then((body) => {
      const headers = request.headers as Readonly<Record<string, string>>;
      const one = { path: request.url ?? '', headers, body };
      received.push(one);
      receiver.respond(request, response, one);
      waiting.shift()?.(one);
      return undefined;
    });
  };
  const server = createServer(handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    respond: accept,
    next() {
      const one = received[taken];
      taken += 1;
      return one === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(one);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** The content of a message whose signature is valid. */
export function verify(secret: string, { headers, body }: Received) {
  return new Webhook(secret).verify(body, headers) as {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}
