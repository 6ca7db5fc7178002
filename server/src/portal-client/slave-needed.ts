/** The refusal of a read whose slave the service of its maker needs to know. */
import type { RefusalCode } from '@recodery/contract/errors';
import { RequestRefused } from '../encoding-api-client/errors.ts';

const code = 'SLAVE_NEEDED' satisfies RefusalCode;

const listed = 'The page of the family on the portal lists the slaves.';

/** What to do; the response of the Encoding API names no slaves. `given`: the slave that was passed. */
export function describeNeed(given: string | undefined): string {
  return given === undefined
    ? `the service of its maker needs the serial number of the slave that wrote it. Pass it with --slave. ${listed}`
    : `${given} is not a slave of the master that it was read with. Pass another serial number with --slave. ${listed}`;
}

/** Whether a portal has refused a read because it does not know its slave. */
export function needsSlave(error: unknown): error is RequestRefused {
  return error instanceof RequestRefused && error.message.includes(code);
}
