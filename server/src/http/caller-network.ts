/** Which network a caller comes from: what limits count by. */
import ipaddr from 'ipaddr.js';

/**
 * The network of an address: an IPv4 address itself, of an IPv6 address the first 64 bits, since whoever has one has all
 * that begin alike. What is no address stands for itself.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!('parts' in parsed)) return parsed.toString();
  const groups = parsed.parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
