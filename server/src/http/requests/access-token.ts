/** Finds the access token of a request, in either of its two headers. */
import type { IncomingHttpHeaders } from 'node:http';
import { accessTokenHeader, sessionHeader } from '@recodery/contract/headers';

/** The access token in the headers that are for one. */
function readToken(headers: IncomingHttpHeaders): string | null {
  const own = headers[accessTokenHeader.toLowerCase()];
  if (own !== undefined) return String(own).trim();
  const [scheme = '', token = ''] = (headers.authorization ?? '').split(/ +(.*)/s, 2);
  return scheme.toLowerCase() === 'bearer' ? token.trim() : null;
}

/**
 * The access token that a request presents, or null. A session takes precedence: a proxy in front of the portal may add
 * its own token to what a page sends. Some programs send their token in every header, also in that of the session.
 */
export function presentedToken(headers: IncomingHttpHeaders): string | null {
  const session = headers[sessionHeader.toLowerCase()];
  const token = readToken(headers);
  return session === undefined || session === token ? token : null;
}
