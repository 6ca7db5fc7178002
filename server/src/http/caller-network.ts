/** The network of a caller, by which rate limits are counted. */
import ipaddr from 'ipaddr.js';

function groupsOf({ parts }: ipaddr.IPv6, count: number): string {
  return parts
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(':');
}

/** The address without brackets and port, which some proxies add: otherwise each connection would be another caller. */
function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}

/**
 * The network of an address: an IPv4 address itself, or the first 64 bits of an IPv6 address, because one customer
 * usually has all addresses of a /64. A value that is not an address is returned unchanged.
 */
export function networkOf(named: string): string {
  const address = withoutPort(named);
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return 'parts' in parsed ? `${groupsOf(parsed, 4)}::/64` : parsed.toString();
}

/**
 * The wider network of an address, an IPv4 /24 or an IPv6 /48: anyone can rent one with all its addresses. A value that is
 * not an address is returned unchanged.
 */
export function areaOf(named: string): string {
  const address = withoutPort(named);
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if ('parts' in parsed) return `${groupsOf(parsed, 3)}::/48`;
  return `${parsed.octets.slice(0, 3).join('.')}.0/24`;
}
