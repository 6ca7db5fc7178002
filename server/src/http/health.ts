/**
 * Health checks for supervisors and load balancers: whether the process is alive, and whether it is ready for requests.
 */
import type { FastifyInstance } from 'fastify';
import { isDraining } from './drain.ts';

/**
 * Adds `/healthz` (the process responds) and `/readyz` (it can also reach its dependencies, and is not about to stop).
 */
export function serveHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/healthz', { logLevel: 'warn' }, async (_request, reply) => {
    return reply.type('text/plain; charset=utf-8').send('ok');
  });
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const ready = !isDraining(app.server) && (await isReady().catch(() => false));
    return reply
      .code(ready ? 200 : 503)
      .type('text/plain; charset=utf-8')
      .send(ready ? 'ready' : 'SERVICE_UNAVAILABLE');
  });
}
