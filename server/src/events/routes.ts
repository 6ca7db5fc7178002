/** Routes for the event stream. */
import { Refusal } from '@recodery/contract/errors';
import { openEvents } from '@recodery/contract/operations';
import { openEventStream } from '../http/event-stream.ts';
import type { Router } from '../http/serve.ts';
import { type EventDependencies, feedEvents } from './events.ts';

/** Streams of one session or client application at once in this portal. A browser needs one, whatever its tabs. */
const mostStreams = 20;

/** Serves the stream: open until the browser disconnects, the session ends, or its time limit is reached. */
export function serveEvents(router: Router, deps: EventDependencies): void {
  const open = new Map<string, number>();
  router.serve(openEvents, async ({ caller, request, reply }) => {
    const bearer = caller.kind === 'client' ? caller.clientGuid : caller.sessionGuid;
    const count = open.get(bearer) ?? 0;
    if (count >= mostStreams) throw new Refusal('TOO_MANY_EVENT_STREAMS');
    open.set(bearer, count + 1);
    const stream = openEventStream(reply);
    const stop = feedEvents(deps, { caller, headers: request.headers }, stream);
    stream.closed.addEventListener('abort', () => {
      stop();
      const others = (open.get(bearer) ?? 1) - 1;
      if (others === 0) open.delete(bearer);
      else open.set(bearer, others);
    });
    return undefined;
  });
}
