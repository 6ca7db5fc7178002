/**
 * Offers buttons to continue when another tab has changed the customer code during the work. This is rare, so the
 * buttons are loaded only then.
 */
import { Refusal } from '@recodery/contract/refusal';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import type { Fault } from '../fault.ts';

const ways = () => import('./code-changed-actions.tsx');

/** Continues with the chosen read file under the new customer code. */
export const UnderNewCode = onDemand(async () => (await ways()).UnderNewCode);

/** Returns to the customer code that the decoded files belong to. */
export const BackToOldCode = onDemand(async () => (await ways()).BackToOldCode);

/** Whether the server refused because the customer code that this tab assumes is no longer current. */
export function isCodeChanged(fault: Fault): boolean {
  return (
    fault.kind === 'refused' &&
    fault.thrown instanceof Refusal &&
    fault.thrown.code === 'CUSTOMER_CODE_CHANGED'
  );
}
