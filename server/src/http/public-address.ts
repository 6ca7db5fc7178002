/** The public name of the portal: browsers that came under another one are moved to it. */
import type { FastifyRequest } from 'fastify';

/**
 * Where a browser goes that came under another name than the public one, so that cookies and storage stay together; null
 * when it is there already. At most once: behind a proxy that renames the host it would circle.
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
  // Put together, not resolved: a path must not come to mean another host.
  return `${publicUrl}${path}?${parameters.toString()}`;
}
