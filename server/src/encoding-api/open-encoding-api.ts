/** Adds the Encoding API to the portal: a separate plugin under a prefix, only for client applications. */
import { encodingApiPrefix, encodingApiRoutes } from '@recodery/contract/encoding-api/routes';
import type { FastifyInstance } from 'fastify';
import { createRouter, type RouterOptions } from '../http/serve.ts';
import { type EncodingApiDependencies, serveEncodingApi } from './routes.ts';

/** Serves the Encoding API under its prefix. */
export async function openEncodingApi(
  app: FastifyInstance,
  options: Omit<RouterOptions, 'routes'>,
  deps: EncodingApiDependencies,
): Promise<void> {
  await app.register(
    async (scope) => {
      // without this, an unknown path would get the page
      scope.setNotFoundHandler((_request, reply) =>
        reply.code(404).type('text/plain; charset=utf-8').send('NOT_FOUND'),
      );
      const router = createRouter(scope, { ...options, routes: encodingApiRoutes });
      serveEncodingApi(router, deps);
      router.finish();
    },
    { prefix: encodingApiPrefix },
  );
}
