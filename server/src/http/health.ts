/** What supervisors and load balancers ask: whether the process lives, and whether it may be sent work. */
import type { FastifyInstance } from 'fastify';

/** Adds `/healthz` (the process answers) and `/readyz` (it can also reach what it needs). */
export function serveHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/healthz', { logLevel: 'warn' }, async (_request, reply) => {
    return reply.type('text/plain; charset=utf-8').send('ok');
  });
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const ready = await isReady().catch(() => false);
    return reply
      .code(ready ? 200 : 503)
      .type('text/plain; charset=utf-8')
      .send(ready ? 'ready' : 'SERVICE_UNAVAILABLE');
  });
}
