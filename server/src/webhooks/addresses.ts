/**
 * Decides where webhooks may be sent: not to addresses of this machine or of a private network, unless they are
 * allowed.
 */
import { Refusal } from '@recodery/contract/refusal';
import { longestWebhookUrl } from '@recodery/contract/features/webhooks';
import ipaddr from 'ipaddr.js';
import type { Resolve } from './resolve.ts';

type Address = ReturnType<typeof ipaddr.parse>;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** The addresses of an endpoint cannot be used; `error` is the word for the list of deliveries. */
export class AddressRefused extends Error {
  readonly error: 'NAME_NOT_FOUND' | 'ADDRESS_NOT_ALLOWED';
  constructor(error: AddressRefused['error']) {
    super(error);
    this.name = 'AddressRefused';
    this.error = error;
  }
}

export interface AddressCheck {
  /**
   * Checks the address of an endpoint, or the `callbackURL` of an operation that is about to start. A name that cannot
   * be resolved now is accepted: every delivery checks again.
   * @throws {Refusal} CALLBACK_URL_NOT_ALLOWED
   */
  admit(url: string): Promise<void>;
  /**
   * The addresses to connect to for one delivery: only those that are allowed.
   * @throws {AddressRefused}
   */
  resolve(url: URL): Promise<readonly string[]>;
}

/** `allow`: addresses and networks that may receive webhooks although they are private. */
export function createAddressCheck(allow: readonly string[], resolve: Resolve): AddressCheck {
  const networks = allow.map(readNetwork);
  const findAllowed = async (url: URL): Promise<readonly string[]> => {
    const found = await resolve(url.hostname);
    const allowed = found.filter((address) => isAllowed(address, networks));
    if (found.length > 0 && allowed.length === 0) throw new AddressRefused('ADDRESS_NOT_ALLOWED');
    return allowed;
  };
  return {
    async admit(text) {
      const url = parseReceiver(text);
      if (url === null) throw new Refusal('CALLBACK_URL_NOT_ALLOWED');
      await findAllowed(url).catch((error: unknown) => {
        throw error instanceof AddressRefused ? new Refusal('CALLBACK_URL_NOT_ALLOWED') : error;
      });
    },
    async resolve(url) {
      const found = await findAllowed(url);
      if (found.length === 0) throw new AddressRefused('NAME_NOT_FOUND');
      return found;
    },
  };
}

/** The URL of an endpoint: http or https, without credentials; null if the text is not one. */
function parseReceiver(text: string): URL | null {
  // the parser would drop some of these characters, so that the stored address would differ from the one used
  if (text.length > longestWebhookUrl || /[\s\p{Cc}]/u.test(text)) return null;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' ? url : null;
}

function readNetwork(text: string): Network {
  if (!text.includes('/')) {
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  return ipaddr.parseCIDR(text);
}

function isAllowed(text: string, allow: readonly Network[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(ipaddr.parse(text));
  return (
    isPublic(address) ||
    allow.some(
      ([start, bits]) => address.kind() === start.kind() && address.match([start, bits] as never),
    )
  );
}

const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** A public address at which a cloud provider's machines read their own metadata. */
const metadata = ipaddr.IPv4.parse('168.63.129.16');

/** An IPv4 address that is written as IPv6, mapped or for NAT64, becomes IPv4. */
function unwrap(address: Address): Address {
  if (!('parts' in address)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(translated) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** Whether an address belongs to a machine on the internet. All other addresses have a special purpose, or none. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return 'parts' in address
    ? address.match(globalUnicast)
    : address.toString() !== metadata.toString();
}
