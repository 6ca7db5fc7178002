/** One log line a request, in which no secret of the path or query stands. */
import type { Route } from '@recodery/contract/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's route that is served here; pages have none. */
    contractRoute?: Route;
  }
}

/**
 * The path as the log shows it: of a contract route with its parameters, secret ones blanked; of a page its pattern;
 * of what is not served at all no more than its first two segments. Never a query: tickets and tokens travel there.
 */
export function loggedPath(request: FastifyRequest): string {
  const { config, url } = request.routeOptions;
  const route = config.contractRoute;
  if (route !== undefined) {
    const params = request.params as Readonly<Record<string, string>>;
    return route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      route.parts.secret?.includes(name) === true ? '-' : encodeURIComponent(params[name] ?? ''),
    );
  }
  if (url !== undefined && !url.includes('*')) return url;
  return request.url.split(/[?#]/, 1).join('').split('/').slice(0, 3).join('/');
}

/** Logs each request when it has been answered, or when its caller went away. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const level = reply.statusCode >= 500 ? 'warn' : 'info';
    request.log[level](
      {
        verb: request.method,
        path: loggedPath(request),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    );
  });
  app.addHook('onRequestAbort', async (request) => {
    request.log.info({ verb: request.method, path: loggedPath(request) }, 'caller went away');
  });
}
