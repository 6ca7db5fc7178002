/** Finds the access token of a request, in either of its two headers. */
import type { IncomingHttpHeaders } from 'node:http';
import { accessTokenHeader, sessionHeader } from '@recodery/contract/headers';

/**
 * The access token that a request presents, or null. A session takes precedence: a proxy in front of the portal may add
 * its own token to what a page sends.
 */
export function presentedToken(headers: IncomingHttpHeaders): string | null {
  if (headers[sessionHeader.toLowerCase()] !== undefined) return null;
  const own = headers[accessTokenHeader.toLowerCase()];
  if (own !== undefined) return String(own).trim();
  const [scheme = '', token = ''] = (headers.authorization ?? '').split(/ +(.*)/s, 2);
  return scheme.toLowerCase() === 'bearer' ? token.trim() : null;
}
