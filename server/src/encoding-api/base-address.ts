/** The base addresses of the Encoding API: a path of the portal, and hosts of its own. */
import type { IncomingMessage } from 'node:http';
import { encodingApiPrefix } from '@recodery/contract/encoding-api/routes';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../config/config.ts';

/** Whether a request's host is one of `hosts`; a host without a port matches any port. */
function isListed(host: string | undefined, hosts: readonly string[]): boolean {
  const name = host?.toLowerCase() ?? '';
  return hosts.includes(name) || hosts.includes(name.replace(/:\d+$/, ''));
}

/**
 * Routes everything that is requested from one of `hosts` to the Encoding API, so that such a host serves nothing else.
 * Other requests keep their path.
 */
export function createRewriteUrl(hosts: readonly string[]): (request: IncomingMessage) => string {
  return ({ url = '', headers }) =>
    // what is not a path is refused later
    url.startsWith('/') && isListed(headers.host, hosts) ? encodingApiPrefix + url : url;
}

/**
 * The base address that a request has used, without a slash at its end. Results contain addresses under it, because
 * clients send their token nowhere else.
 */
export function baseAddressOf(
  request: Pick<FastifyRequest, 'host' | 'protocol' | 'originalUrl'>,
  publicUrl: string,
): string {
  const prefix = request.originalUrl.startsWith(`${encodingApiPrefix}/`) ? encodingApiPrefix : '';
  return originOf(request, publicUrl) + prefix;
}

function originOf(
  { host, protocol }: Pick<FastifyRequest, 'host' | 'protocol'>,
  publicUrl: string,
): string {
  const known = new URL(publicUrl);
  if (host === known.host || !URL.canParse(`http://${host}`)) return publicUrl;
  const called = new URL(`http://${host}`);
  // anything but a host and a port would move the address elsewhere
  if (called.host !== host.toLowerCase().replace(/:80$/, '')) return publicUrl;
  // a proxy that ends TLS may not tell us so
  const scheme = isLoopback(called.hostname) ? `${protocol}:` : known.protocol;
  return `${scheme}//${host}`;
}
