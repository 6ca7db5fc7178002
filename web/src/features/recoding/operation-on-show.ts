/** Which operation a recoding page shows the user, and whether its end is part of that; pure. */
import type { OnShow } from '../notifications/seen-here.ts';
import type { Fault } from './fault.ts';
import type { Flow } from './recoding-flow.ts';
import { operationAwaited } from './taking-up.ts';

/** A fault tells the end of an operation only where the operation failed; where nobody could be asked it may go on. */
function endIn(fault: Fault): OnShow | null {
  return fault.kind === 'failed' ? { guid: fault.operationGUID, hasEnded: true } : null;
}

/** The operation on show, or null. One that is sent by email is not: its notification tells what becomes of it. */
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
