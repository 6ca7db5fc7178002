/** Which network a caller comes from: what limits count by. */
import { isIP } from 'node:net';

/** The eight groups of an IPv6 address, as numbers; `::` stands for as many zeros as are missing. */
function readGroups(address: string): readonly number[] {
  const [left = '', right] = address.split('::', 2);
  const read = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [head, tail] = [read(left), read(right ?? '')];
  const missing = right === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array.from({ length: Math.max(0, missing) }, () => 0), ...tail];
}

/**
 * The network of an address: an IPv4 address itself, of an IPv6 address the first 64 bits, since whoever has one has all
 * that begin alike. What is no address stands for itself.
 */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, '');
  const inside = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (inside !== undefined) return inside;
  if (isIP(bare) !== 6) return bare;
  const groups = readGroups(bare).slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
