/** Sends one webhook only to the addresses that were checked. */
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { DeliveryError } from '@recodery/contract/features/webhooks';

/** A request to send. */
export interface Post {
  readonly url: URL;
  /** The checked addresses that the host name resolved to. */
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response's status, or why there was none. */
export type Posted =
  | { readonly status: number; readonly error: null }
  | { readonly status: null; readonly error: DeliveryError };

/** Milliseconds for the connection, for the whole request, and for the rest of a response after its status. */
export const postLimits = { connect: 5000, whole: 15_000, rest: 2000 };
export type PostLimits = typeof postLimits;
/** Bytes of a response that are read and discarded before the connection is closed. */
const mostResponseBytes = 64 * 1024;

// our own agents: the global ones may use a proxy of the environment, which would resolve the name again
const clients = {
  'http:': { request: http.request, agent: new http.Agent({ keepAlive: false }) },
  'https:': { request: https.request, agent: new https.Agent({ keepAlive: false }) },
} as const;

/** Sends a request and waits for the status. Redirects are not followed. Never throws. */
export function post(sent: Post, signal: AbortSignal, limits = postLimits): Promise<Posted> {
  const { url, addresses, headers, body } = sent;
  const { promise, resolve } = Promise.withResolvers<Posted>();
  const { request: open, agent } = clients[url.protocol === 'https:' ? 'https:' : 'http:'];
  const timers: NodeJS.Timeout[] = [];
  const request = open(url, { method: 'POST', agent, headers, signal, lookup: fixed(addresses) });
  const endAfter = (milliseconds: number): NodeJS.Timeout => {
    const timer = setTimeout(() => request.destroy(new TimedOut()), milliseconds);
    timers.push(timer);
    return timer;
  };
  endAfter(limits.whole);
  const connecting = endAfter(limits.connect);
  request.once('socket', (socket) => {
    const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect';
    socket.once(connected, () => clearTimeout(connecting));
  });
  let status: number | null = null;
  request.once('response', (response) => {
    status = response.statusCode ?? 0;
    endAfter(limits.rest);
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > mostResponseBytes) request.destroy();
    });
    // what follows the status is ignored
    response.on('error', () => undefined);
  });
  let fault: unknown = null;
  request.on('error', (error) => {
    fault = error;
  });
  request.once('close', () => {
    for (const timer of timers) clearTimeout(timer);
    resolve(status === null ? { status: null, error: nameError(fault) } : { status, error: null });
  });
  request.end(body);
  return promise;
}

class TimedOut extends Error {}

/** A lookup that knows only these addresses. */
function fixed(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first] = found;
  return (_host, options, callback) => {
    if (first === undefined) callback(new Error('no address'), '');
    else if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

function nameError(error: unknown): DeliveryError {
  if (error instanceof TimedOut) return 'TIMEOUT';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED') return 'CONNECTION_REFUSED';
  if (code === 'ETIMEDOUT') return 'TIMEOUT';
  return /CERT|SIGNATURE|ALTNAME/.test(code) ? 'CERTIFICATE_NOT_TRUSTED' : 'CONNECTION_FAILED';
}
