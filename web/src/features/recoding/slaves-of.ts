/** The slaves that a refused upload of a read asks for. */
import { Refusal } from '@recodery/contract/refusal';
import type { Fault } from './fault.ts';

/** Their serial numbers; none: it was refused for another reason, or no slave can be chosen. */
export function slavesOf(fault: Fault): readonly string[] {
  const thrown = fault.kind === 'refused' ? fault.thrown : null;
  const details = thrown instanceof Refusal ? thrown.details : undefined;
  return details !== undefined && 'slaves' in details ? details.slaves : [];
}
