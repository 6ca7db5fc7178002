/** Serves the built page: hashed assets for ever, sign-in.html for the way in, and index.html for every address that the page itself routes. */
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { Refusal } from '@recodery/contract/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { publicAddressFor } from './public-address.ts';
import { answerProblem, problemOf } from './problem.ts';

const forEver = 'public, max-age=31536000, immutable';
const forAnHour = 'public, max-age=3600';

/** The way in is a document of its own: it must not weigh what the pages behind it weigh. */
const wayIn = '/login';
const signInAddresses = new Set([wayIn, '/loggedin']);

function pathOf(request: FastifyRequest): string {
  return request.url.split(/[?#]/, 1).join('');
}

/** Whether an address is one of the page's: no call, no file. */
function isPageAddress(request: FastifyRequest): boolean {
  const path = pathOf(request);
  const isOurs = /^\/(api|idp|sso|[\w-]+\/slots)(\/|$)/.test(path);
  const last = path.slice(path.lastIndexOf('/') + 1);
  return (request.method === 'GET' || request.method === 'HEAD') && !isOurs && !last.includes('.');
}

/**
 * Adds the built page from its folder, precompressed files first. Everything that no route serves and that is not a
 * file is the page's to say: it knows which of its addresses exist. Without a built page those answer 404. The way in
 * first moves the browser to `publicUrl`, where its cookies and storage will lie.
 */
export async function serveWebPages(
  app: FastifyInstance,
  folder: string,
  publicUrl: string,
): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'));
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      globIgnore: ['*.html*', '**/*.br', '**/*.gz', '**/*.map'],
      setHeaders: (reply, path) => {
        const isHashed = path.includes(`${sep}assets${sep}`);
        const isDocument = /\.html(\.\w+)?$/.test(path);
        reply.header('cache-control', isDocument ? 'no-store' : isHashed ? forEver : forAnHour);
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isPageAddress(request)) {
      const elsewhere = pathOf(request) === wayIn ? publicAddressFor(request, publicUrl) : null;
      if (elsewhere !== null) return reply.redirect(elsewhere, 302);
      return reply.sendFile(signInAddresses.has(pathOf(request)) ? 'sign-in.html' : 'index.html');
    }
    return answerProblem(problemOf(new Refusal('NOT_FOUND')), request, reply);
  });
}
