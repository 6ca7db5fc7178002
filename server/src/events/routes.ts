/** Routes for the event stream. */
import { openEvents } from '@recodery/contract/operations';
import { openEventStream } from '../http/event-stream.ts';
import type { Router } from '../http/serve.ts';
import { type EventDependencies, feedEvents } from './events.ts';

/** Serves the stream: open until the browser disconnects, the session ends, or its time limit is reached. */
export function serveEvents(router: Router, deps: EventDependencies): void {
  router.serve(openEvents, async ({ caller, request, reply }) => {
    const stream = openEventStream(reply);
    stream.closed.addEventListener(
      'abort',
      feedEvents(deps, { caller, headers: request.headers }, stream),
    );
    return undefined;
  });
}
