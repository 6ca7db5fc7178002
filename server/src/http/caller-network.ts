/** The network of a caller, by which rate limits are counted. */
import ipaddr from 'ipaddr.js';

/**
 * The network of an address: an IPv4 address itself, or the first 64 bits of an IPv6 address, because one customer
 * usually has all addresses of a /64. A value that is not an address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!('parts' in parsed)) return parsed.toString();
  const groups = parsed.parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
