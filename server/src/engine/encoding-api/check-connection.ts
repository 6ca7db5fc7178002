/** Checks a connection to a vendor's service, and describes what is wrong and what to do. */
import { families } from '@recodery/contract/families/registry';
import { createEncodingApiClient, type ServiceAddress } from '../../encoding-api-client/client.ts';
import {
  RequestRefused,
  ServiceUnavailable,
  TokenRefused,
} from '../../encoding-api-client/errors.ts';
import {
  describeNetworkFault,
  type NetworkFault,
} from '../../encoding-api-client/network-faults.ts';
import { readSlots } from '../../encoding-api-client/records.ts';
import { listRequest, slotsPath } from '../../encoding-api-client/requests.ts';
import type { EngineFinding } from '../kind.ts';

/** Any family shows whether the service responds: the credentials apply to all of them. */
const [checkedFamily] = families;
/** Milliseconds by which the clocks may differ. */
const mostSkew = 5 * 60_000;
/** Milliseconds within which the service must respond. */
const patience = 15_000;

const advice: Readonly<Record<NetworkFault, string>> = {
  name: 'Check the spelling of its address, and the name server of this machine.',
  refused: 'Check the port, and whether the service is running.',
  certificate:
    "Check the address and this machine's clock. For a certificate authority of your own, set NODE_EXTRA_CA_CERTS.",
  time: 'Check the address, and whether a firewall blocks outgoing connections.',
  other: 'Check the address and its scheme, https or http.',
};

/** Reaches the service, asks for a token, and lists the slots; reports the first problem. */
export async function checkConnection(
  address: ServiceAddress,
  now: () => Date,
): Promise<EngineFinding> {
  const { url } = address;
  const fault = await reach(url, now);
  if (fault !== null) return wrong(fault);
  const { signal: stop } = new AbortController();
  const client = createEncodingApiClient(address, { waitMs: patience, stop });
  const asked = client.call(listRequest(checkedFamily), stop).then((json): EngineFinding => {
    const open = readSlots(json).filter(({ isClosed }) => !isClosed).length;
    const text = `${url} accepts the credentials. Open slots: ${open}.`;
    return { isRight: true, text };
  });
  return asked.catch((error: unknown) => wrong(explain(url, error)));
}

const wrong = (text: string): EngineFinding => ({ isRight: false, text });

/** Why the service cannot be used: it does not respond, or its clock differs from ours; null: neither. */
async function reach(url: string, now: () => Date): Promise<string | null> {
  const asked = fetch(`${url}${slotsPath(checkedFamily)}`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  });
  return asked.then(
    async (response) => {
      await response.body?.cancel();
      const skew = Date.parse(response.headers.get('date') ?? '') - now().getTime();
      if (Math.abs(skew) <= mostSkew || Number.isNaN(skew)) return null;
      const minutes = Math.round(Math.abs(skew) / 60_000);
      const relation = skew > 0 ? 'behind' : 'ahead of';
      return `The clock of this machine is ${minutes} minutes ${relation} that of ${url}. Set it, for example with NTP.`;
    },
    (error: unknown) => {
      if (error instanceof Error && error.name === 'TimeoutError')
        return `${url} did not respond within ${patience / 1000} s. ${advice.time}`;
      const { fault, text } = describeNetworkFault(error, new URL(url));
      return `${url} cannot be reached: ${text}. ${advice[fault]}`;
    },
  );
}

/** Why a service that responds refused the connection. */
function explain(url: string, error: unknown): string {
  if (error instanceof RequestRefused) {
    const word = error.message;
    if (/IP_NOT_ALLOWED/i.test(word))
      return `${url} does not allow the address of this machine (${word}). Ask the vendor to add it to the client application.`;
    if (error.status !== null && error.status <= 403)
      return `${url} refuses the credentials (${word}). Check the client GUID and the secret, then replace the credentials of this connection.`;
  }
  if (error instanceof TokenRefused)
    return `${url} refuses the credentials: ${error.message}. Check the client GUID and the secret, then replace the credentials of this connection.`;
  if (error instanceof RequestRefused || error instanceof ServiceUnavailable)
    return `${url} does not respond like an Encoding API: ${error.message}. Check the address and its path.`;
  throw error;
}
