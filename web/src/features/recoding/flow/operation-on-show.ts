/** Which operation a recoding page shows, and whether the page shows its result; pure. */
import type { OnShow } from '../../notifications/seen-here.ts';
import type { Fault } from '../fault.ts';
import type { Flow } from './recoding-flow.ts';
import { operationAwaited } from './taking-up.ts';

/** A fault ends an operation only if the operation failed. If the connection was lost, it may still be running. */
function endIn(fault: Fault): OnShow | null {
  return fault.kind === 'failed' ? { guid: fault.operationGUID, hasEnded: true } : null;
}

/** The displayed operation, or null. An operation sent by email does not count: its notification shows the result. */
export function operationOnShow(flow: Flow): OnShow | null {
  const awaited = operationAwaited(flow);
  if (awaited !== null) return { guid: awaited.guid, hasEnded: false };
  if (flow.at === 'failed') return endIn(flow.fault);
  if (flow.at !== 'decoded' && flow.at !== 'resumed') return null;
  const { encode } = flow;
  if (encode.at === 'failed') return endIn(encode.fault);
  if (encode.at === 'encoded') return { guid: encode.operationGUID, hasEnded: true };
  return flow.at === 'decoded' ? { guid: flow.read.operationGUID, hasEnded: true } : null;
}
