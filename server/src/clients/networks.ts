/** The networks from which a client application may call. */
import ipaddr from 'ipaddr.js';

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** IPv4 addresses inside IPv6 become plain IPv4: callers' addresses are compared in that form. */
function simplify([address, bits]: Network): Network {
  return 'parts' in address && address.isIPv4MappedAddress() && bits >= 96
    ? [address.toIPv4Address(), bits - 96]
    : [address, bits];
}

/** An address or network in CIDR notation, such as `192.0.2.0/24`; null when the text is neither. */
export function readNetwork(text: string): string | null {
  const word = text.trim();
  // the library also accepts short and octal forms, which people could mistake for a different address
  const isWritten = ipaddr.IPv4.isValidFourPartDecimal(word.split('/', 1).join(''));
  if (!isWritten && !word.includes(':')) return null;
  // a zone names an interface of one machine
  if (word.includes('%')) return null;
  if (ipaddr.isValid(word)) {
    const address = ipaddr.process(word);
    return `${address.toString()}/${'parts' in address ? 128 : 32}`;
  }
  if (!ipaddr.isValidCIDR(word)) return null;
  const [address, bits] = simplify(ipaddr.parseCIDR(word));
  const network = `${address.toString()}/${bits}`;
  const first =
    'parts' in address
      ? ipaddr.IPv6.networkAddressFromCIDR(network)
      : ipaddr.IPv4.networkAddressFromCIDR(network);
  return `${first.toString()}/${bits}`;
}

/**
 * Whether a caller's address is in one of these networks, as {@link readNetwork} returns them. If the list is empty,
 * any address may call.
 */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const caller = ipaddr.process(address);
  return networks.some((network) => {
    const [start, bits] = ipaddr.parseCIDR(network);
    return caller.kind() === start.kind() && caller.match(start, bits);
  });
}
