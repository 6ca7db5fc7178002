/** The public name of the portal: redirects browsers that use a different name. */
import type { FastifyRequest } from 'fastify';

/**
 * Where to redirect a browser that uses a name other than the public one, so that cookies and storage stay together;
 * null when no redirect is needed. Redirects at most once: behind a proxy that renames the host it would loop.
 */
export function publicAddressFor(
  { url, headers }: Pick<FastifyRequest, 'url' | 'headers'>,
  publicUrl: string,
): string | null {
  if (headers.host === new URL(publicUrl).host) return null;
  const [path = '/', query = ''] = url.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  if (parameters.has('moved')) return null;
  parameters.set('moved', '1');
  // Concatenated, not resolved: a path must not be able to change the host.
  return `${publicUrl}${path}?${parameters.toString()}`;
}
