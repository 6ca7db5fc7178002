/** The base addresses of the Encoding API: a path of the portal, and dedicated hosts. */
import type { IncomingMessage } from 'node:http';
import { encodingApiPrefix } from '@recodery/contract/encoding-api/routes';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../config/config.ts';

/** The addresses that the operator has configured. */
export interface KnownAddresses {
  /** The origin that browsers use. */
  readonly publicUrl: string;
  /** Hosts that serve the Encoding API at their root; one without a port matches any port. */
  readonly encodingApiHosts: readonly string[];
}

/** A host name or address, with or without a port: anything else would change where the address leads. */
const hostForm = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

function isListed(host: string, hosts: readonly string[]): boolean {
  const name = host.toLowerCase();
  return hosts.includes(name) || hosts.includes(name.replace(/:\d+$/, ''));
}

function hasPrefix(url: string): boolean {
  return (
    url.startsWith(encodingApiPrefix) && /^(?:[/?]|$)/.test(url.slice(encodingApiPrefix.length))
  );
}

/**
 * Routes everything that is requested from one of `hosts` to the Encoding API, with or without its prefix, so that such
 * a host serves nothing else. Other requests keep their path.
 */
export function createRewriteUrl(hosts: readonly string[]): (request: IncomingMessage) => string {
  return ({ url = '', headers }) =>
    // a target that is not a path is refused later
    url.startsWith('/') && !hasPrefix(url) && isListed(headers.host ?? '', hosts)
      ? encodingApiPrefix + url
      : url;
}

/** The parts of a request that determine its base address. */
export type AddressedRequest = Pick<FastifyRequest, 'host' | 'ip' | 'protocol' | 'originalUrl'> & {
  readonly headers: Pick<IncomingMessage['headers'], 'host'>;
};

/**
 * The base address that a request has used, without a slash at its end. Results contain addresses under it, because
 * clients send their token nowhere else. A host that is not configured is never repeated: the public address takes its
 * place.
 */
export function baseAddressOf(request: AddressedRequest, known: KnownAddresses): string {
  const prefix = hasPrefix(request.originalUrl) ? encodingApiPrefix : '';
  return originOf(request, known) + prefix;
}

function originOf(
  { headers, host, ip, protocol }: AddressedRequest,
  known: KnownAddresses,
): string {
  const { publicUrl, encodingApiHosts } = known;
  const { host: publicHost, protocol: scheme } = new URL(publicUrl);
  // the second one comes from a trusted proxy that does not pass on the first
  for (const called of [headers.host ?? '', host]) {
    if (called.toLowerCase() === publicHost) return publicUrl;
    // a proxy that terminates TLS may not indicate it
    if (isListed(called, encodingApiHosts))
      return isLoopback(bareName(called)) ? `${protocol}://${called}` : `${scheme}//${called}`;
  }
  // a program on the same machine, directly or through its own tunnel
  const isLocal =
    host === headers.host && hostForm.test(host) && isLoopback(bareName(host)) && isLoopback(ip);
  return isLocal ? `${protocol}://${host}` : publicUrl;
}

/** The name of a host, without its port. */
function bareName(host: string): string {
  return host.replace(/:\d+$/, '');
}
