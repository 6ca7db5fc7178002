/** Routes for the event stream. */
import { openEvents } from '@recodery/contract/features/operations';
import { openEventStream } from '../http/event-stream.ts';
import type { Router } from '../http/serve.ts';
import { createEvents, type EventDependencies } from './events.ts';

/** Serves the stream: open until the browser disconnects, the session ends, or its time limit is reached. */
export function serveEvents(router: Router, deps: EventDependencies): void {
  const events = createEvents(deps);
  router.serve(openEvents, async ({ caller, request, reply }) => {
    events.admit(caller);
    const stream = openEventStream(reply);
    const close = events.open({ caller, headers: request.headers, sink: stream });
    stream.closed.addEventListener('abort', close);
    return undefined;
  });
}
