/** Records each request as a span, with the same facts as its log line. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { named } from '../../config/named-work.ts';
import { type RequestSpan, startRequest } from '../../traces/traces.ts';
import { senderOf } from './request-log.ts';

const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? 'unknown';

const nameOf = (request: FastifyRequest): string => `${request.method} ${routeOf(request)}`;

/** Adds the hooks. Without a collector they cost some microseconds. */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('onRequest', (request, _reply, next) => {
    const span = startRequest();
    spans.set(request, span);
    span.run(() => named(nameOf(request), next));
  });
  // the events of a body belong to its connection, not to the request
  app.addHook('preHandler', (request, _reply, next) => {
    const span = spans.get(request);
    const counted = () => named(nameOf(request), next);
    if (span === undefined) counted();
    else span.run(counted);
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    const route = routeOf(request);
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': statusCode,
      'recodery.request': request.id,
      'recodery.organisation': senderOf(request).organisation,
    };
    spans.get(request)?.end(nameOf(request), attributes, statusCode >= 500);
  });
}
