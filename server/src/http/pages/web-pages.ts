/**
 * Serves the built page: hashed assets cached forever, the small documents (sign-in, check of a receipt), downloads, and
 * index.html for every path that the page itself routes.
 */
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { Refusal } from '@recodery/contract/refusal';
import { matchPaths, servedPaths, verifyPath } from '@recodery/contract/served-paths';
import { signInPath, signInPaths } from '@recodery/contract/sign-in-paths';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { publicAddressFor } from '../public-address.ts';
import { answerProblem, httpProblemOf } from '../problem.ts';

const forEver = 'public, max-age=31536000, immutable';
const forAnHour = 'public, max-age=3600';

/** Separate documents, so that they do not load the application's code. */
const documents: Readonly<Record<string, string>> = {
  ...Object.fromEntries(signInPaths.map((path) => [path, 'sign-in.html'])),
  [verifyPath]: 'verify.html',
};
const servedPath = matchPaths(servedPaths());

function pathOf(request: FastifyRequest): string {
  return request.url.split(/[?#]/, 1).join('');
}

/** Whether a path belongs to the page: not a call and not a file. */
function isPageAddress(request: FastifyRequest): boolean {
  const path = pathOf(request);
  const last = path.slice(path.lastIndexOf('/') + 1);
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !servedPath.test(path) &&
    !last.includes('.')
  );
}

/**
 * Adds the built page from its folder, precompressed files first. Every path that is neither a route nor a file gets
 * the page, which knows its own routes. Without a built page these paths return 404. The sign-in page first redirects
 * the browser to `publicUrl`, so that cookies and storage belong to that origin.
 */
export async function serveWebPages(
  app: FastifyInstance,
  folder: string,
  publicUrl: string,
): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'));
  if (isBuilt) {
    const shared = { index: false, preCompressed: true, cacheControl: false } as const;
    // One route for all of them: a route for each of hundreds of files took a third of the portal's start.
    await app.register(fastifyStatic, {
      ...shared,
      root: join(folder, 'assets'),
      prefix: '/assets/',
      allowedPath: (path) => !/\.(?:br|gz|map)$/.test(path),
      decorateReply: false,
      setHeaders: (reply) => void reply.header('cache-control', forEver),
    });
    await app.register(fastifyStatic, {
      ...shared,
      root: folder,
      wildcard: false,
      globIgnore: ['*.html*', 'assets/**', '**/*.br', '**/*.gz', '**/*.map'],
      setHeaders: (reply, path) => {
        const isDocument = /\.html(\.\w+)?$/.test(path);
        const isDownload = path.includes(`${sep}downloads${sep}`);
        if (isDownload) reply.header('content-disposition', 'attachment');
        // the page shows the hash of a download: an older copy would not match it
        const brief = isDocument ? 'no-store' : isDownload ? 'no-cache' : forAnHour;
        reply.header('cache-control', brief);
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isPageAddress(request)) {
      const publicAddress =
        pathOf(request) === signInPath ? publicAddressFor(request, publicUrl) : null;
      if (publicAddress !== null) return reply.redirect(publicAddress, 302);
      return reply.sendFile(documents[pathOf(request)] ?? 'index.html');
    }
    return answerProblem(httpProblemOf(new Refusal('NOT_FOUND')), request, reply);
  });
}
