/** The network of a caller, by which rate limits are counted. */
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

function groupsOf({ parts }: ipaddr.IPv6, count: number): string {
  return parts
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(':');
}

/**
 * The addresses of an X-Forwarded-For header without brackets and ports, which some proxies add: otherwise each
 * connection would count as a different caller without a network.
 */
export function withoutPorts(header: string): string {
  const bare = header.split(',').map((part) => {
    const address = part.trim();
    const [, ipv6, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(address) ?? [];
    return ipv6 ?? ipv4 ?? address;
  });
  return bare.join(', ');
}

/**
 * The network of an address: an IPv4 address itself, or the first 64 bits of an IPv6 address, because one customer
 * usually has all addresses of a /64. A value that is not an address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return 'parts' in parsed ? `${groupsOf(parsed, 4)}::/64` : parsed.toString();
}

/**
 * The wider network of an address, an IPv4 /24 or an IPv6 /48: anyone can rent one with all its addresses. A value that
 * is not an address is returned unchanged.
 */
export function areaOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if ('parts' in parsed) return `${groupsOf(parsed, 3)}::/48`;
  return `${parsed.octets.slice(0, 3).join('.')}.0/24`;
}

/** Where a reverse proxy of the operator can be; strangers can send the header, too, but from public addresses. */
const ownRanges = ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'];

/** How a request reaches the server, to compare with what its browser knows. */
export function describeConnection(request: FastifyRequest) {
  const isForwarded = request.headers['x-forwarded-for'] !== undefined;
  return {
    protocol: request.protocol,
    host: request.host,
    address: request.ip,
    untrustedProxy: isForwarded ? findUntrustedProxy(request) : null,
  };
}

/**
 * The address of the proxy that forwarded a request with X-Forwarded-For, if it is in the operator's network but not
 * trusted: then all its users count as one caller.
 */
export function findUntrustedProxy({ ips, socket }: FastifyRequest): string | null {
  // with a trusted proxy, the list continues with the addresses of the header
  const isTrusted = ips !== undefined && ips.length > 1;
  const { remoteAddress } = socket;
  if (isTrusted || remoteAddress === undefined || !ipaddr.isValid(remoteAddress)) return null;
  const address = ipaddr.process(remoteAddress);
  return ownRanges.includes(address.range()) ? address.toString() : null;
}
