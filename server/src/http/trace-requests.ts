/** Records each request as a span, with the same facts as its log line. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RequestSpan, startRequest } from '../traces/traces.ts';
import { senderOf } from './request-log.ts';

/** Adds the hooks. Without a collector they cost some microseconds. */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('onRequest', (request, _reply, next) => {
    const span = startRequest();
    spans.set(request, span);
    span.run(next);
  });
  // the events of a body belong to its connection, not to the request
  app.addHook('preHandler', (request, _reply, next) => {
    const span = spans.get(request);
    if (span === undefined) next();
    else span.run(next);
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    const route = request.routeOptions.url ?? 'unknown';
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': statusCode,
      'recodery.request': request.id,
      'recodery.organisation': senderOf(request).organisation,
    };
    spans.get(request)?.end(`${request.method} ${route}`, attributes, statusCode >= 500);
  });
}
