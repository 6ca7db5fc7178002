/**
 * Health checks for supervisors and load balancers: whether the process is alive, and whether it is ready for requests.
 */
import type { FastifyInstance } from 'fastify';
import { isDraining } from './drain.ts';

/** The header of `/healthz` that identifies the portal. */
export const portalHeader = 'X-Recodery-Portal';

interface HealthOptions {
  /** Whether the portal can reach its dependencies. */
  readonly isReady: () => Promise<boolean>;
  /** The portal's entry in the database: `recodery doctor` finds out whether it belongs to its installation. */
  readonly portalGuid?: string | undefined;
}

/**
 * Adds `/healthz` (the process responds) and `/readyz` (it can also reach its dependencies, and is not about to stop).
 */
export function serveHealth(app: FastifyInstance, { isReady, portalGuid }: HealthOptions): void {
  app.get('/healthz', { logLevel: 'warn' }, async (_request, reply) => {
    if (portalGuid !== undefined) reply.header(portalHeader, portalGuid);
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
