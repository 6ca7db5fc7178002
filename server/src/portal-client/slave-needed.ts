/** The refusal of a read whose slave the service of its maker needs to know. */
import type { RefusalCode } from '@recodery/contract/errors';
import { RequestRefused } from '../encoding-api-client/errors.ts';

const code = 'SLAVE_NEEDED' satisfies RefusalCode;

/** What to do; the response of the Encoding API names no slaves. */
export const slaveNeeded =
  'the service of its maker needs the serial number of the slave that wrote it. Pass it with --slave. The page of the family on the portal lists the slaves.';

/** Whether a portal has refused a read because it does not know its slave. */
export function needsSlave(error: unknown): error is RequestRefused {
  return error instanceof RequestRefused && error.message.includes(code);
}
