/** Writes one log line per request, without any secret from the path or query. */
import type { Route } from '@recodery/contract/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requests } from '../../metrics/metrics.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's route that is served here; pages have none. */
    contractRoute?: Route;
  }
}

/** Characters of a segment of an unknown path that is logged; every secret is longer. */
const longestSegment = 24;

/**
 * The path for the log: for a contract route with its parameters and secrets blanked, for a page its pattern, for an
 * unknown path at most the first two segments, unless they are as long as a secret: mail scanners call links with other
 * verbs. Never the query, because it can contain tickets and tokens.
 */
export function loggedPath(request: FastifyRequest): string {
  const { config, url } = request.routeOptions;
  const route = config.contractRoute;
  if (route !== undefined) {
    const params = request.params as Readonly<Record<string, string>>;
    // a plugin's prefix is in Fastify's pattern, not in the route
    return (url ?? '').replace(/:(\w+)/g, (_, name: string) =>
      route.parts.secret?.includes(name) === true ? '-' : encodeURIComponent(params[name] ?? ''),
    );
  }
  if (url !== undefined && !url.includes('*')) return url;
  const [path = ''] = request.url.split(/[?#]/, 1);
  const segments = path.split('/').slice(0, 3);
  return segments.map((text) => (text.length > longestSegment ? '-' : text)).join('/');
}

/** The sender of a request, by GUIDs; nothing else about them is logged. */
interface Sender {
  readonly account?: string;
  readonly client?: string;
  readonly organisation?: string;
}

/**
 * Statuses whose log line also contains the caller's address, because the caller may be trying something that is not
 * allowed.
 */
const refusals = new Set([401, 403, 429]);

const senders = new WeakMap<FastifyRequest, Sender>();

/** The sender of a request, if known. */
export function senderOf(request: FastifyRequest): Sender {
  return senders.get(request) ?? {};
}

/** Adds the sender to the log line of a request. */
export function logSender(request: FastifyRequest, sender: Sender): void {
  senders.set(request, sender);
}

/** The methods that are labels of a metric: a caller can invent others. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Counts a response by its route; a path without a route could be any text. */
function measure({ method, routeOptions }: FastifyRequest, status: number, milliseconds: number) {
  const labels = {
    method: methods.includes(method) ? method : 'other',
    route: routeOptions.url ?? 'unknown',
    status: String(status),
  };
  requests.observe(labels, milliseconds / 1000);
}

/** Logs and measures each request when the response has been sent or the caller has disconnected. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    measure(request, reply.statusCode, reply.elapsedTime);
    const level = reply.statusCode >= 500 ? 'warn' : 'info';
    request.log[level](
      {
        verb: request.method,
        path: loggedPath(request),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        ...senderOf(request),
        ...(refusals.has(reply.statusCode) ? { address: request.ip } : {}),
      },
      'request completed',
    );
  });
  app.addHook('onRequestAbort', async (request) => {
    const line = { verb: request.method, path: loggedPath(request), ...senderOf(request) };
    request.log.info(line, 'client disconnected');
  });
}
