/** Tests the connection to a stateless service: it must respond, accept the credentials, and refuse what is no read. */
import { RequestRefused, ServiceUnavailable } from '../../encoding-api-client/errors.ts';
import type { EngineFinding } from '../kind.ts';
import { AccessRefused, type ServiceLimits } from './exchange.ts';

/** The limits of a test; the response is short, and no operation waits for it. */
type TestLimits = Pick<ServiceLimits, 'waitMs' | 'mostBytes' | 'signal' | 'receive'>;

const limits: TestLimits = {
  waitMs: 15_000,
  mostBytes: 1024 * 1024,
  signal: new AbortController().signal,
  receive: (_, work) => work(),
};

/** Statuses of an address where there is no such service. */
const elsewhere: ReadonlySet<number | null> = new Set([404, 405]);

/** Describes the response to `send`, which sends a file that is no read. */
export async function testService(
  url: string,
  send: (limits: TestLimits) => Promise<unknown>,
): Promise<EngineFinding> {
  const wrong = (text: string): EngineFinding => ({ isRight: false, text });
  try {
    await send(limits);
    return wrong(`${url} accepts a file that is not a read. Check the address and its path.`);
  } catch (error) {
    if (error instanceof AccessRefused)
      return wrong(
        `${url} refuses the credentials (${error.reason}). Check the secret, then replace the credentials of this connection.`,
      );
    if (error instanceof RequestRefused && !elsewhere.has(error.status))
      return { isRight: true, text: `${url} responds and does not refuse the credentials.` };
    if (error instanceof RequestRefused)
      return wrong(`${url} is not the service (${error.message}). Check the address and its path.`);
    if (error instanceof ServiceUnavailable)
      return wrong(
        `${url} cannot be reached: ${error.message}. Check the address, and whether a firewall blocks outgoing connections.`,
      );
    throw error;
  }
}
