/** Watches which routes a server registers, so that a table of them can be complete by construction. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';

/** The server that was started while watching, and all routes that it serves: `GET /api/session`. */
export interface WatchedServer {
  readonly app: FastifyInstance;
  readonly served: ReadonlySet<string>;
}

/** Runs `start`, which starts one server, and returns that server with the result. */
export async function watchServer<T>(
  start: () => Promise<T>,
): Promise<WatchedServer & { started: T }> {
  const apps: FastifyInstance[] = [];
  const served = new Set<string>();
  const listen = (message: unknown): void => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    apps.push(fastify);
    fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      for (const verb of [method].flat()) served.add(`${verb} ${url}`);
    });
  };
  subscribe('fastify.initialization', listen);
  const started = await start().finally(() => unsubscribe('fastify.initialization', listen));
  const [app, ...others] = apps;
  if (app === undefined || others.length > 0)
    throw new Error(`${apps.length} servers were started`);
  return { app, served, started };
}
