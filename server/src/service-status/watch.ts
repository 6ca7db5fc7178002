/**
 * Reports changes of the service status from any process. It also polls, because a worker that has died does not
 * announce anything.
 */
import type { ServiceStatus } from '@recodery/contract/features/service-status';
import type { Announce } from '../postgres/announce.ts';
import type { Log } from '../config/log.ts';
import { named } from '../config/named-work.ts';

/** Milliseconds between two polls. */
const pollInterval = 5000;

export interface ServiceStatusWatch {
  /** Subscribes to changes; returns a function that unsubscribes. */
  subscribe(listener: (status: ServiceStatus) => void): () => void;
  stop(): void;
}

/** Watches the status: by announcements, and by polling every 5 s. `read` returns the current one. */
export function watchServiceStatus(deps: {
  readonly announce: Pick<Announce, 'subscribe'>;
  readonly log: Log;
  read(): Promise<ServiceStatus>;
}): ServiceStatusWatch {
  const listeners = new Set<(status: ServiceStatus) => void>();
  let last: ServiceStatus['statusCode'] | null = null;
  let isLooking = false;
  let mustPollAgain = false;

  /** One request at a time: with two, the older response could arrive last and be reported as the current one. */
  function look(): void {
    mustPollAgain = isLooking;
    if (isLooking) return;
    isLooking = true;
    named('watch the service status', () => deps.read())
      .then(
        (status) => {
          const isChange = last !== null && last !== status.statusCode;
          last = status.statusCode;
          if (isChange) for (const listener of listeners) listener(status);
        },
        (error: unknown) => deps.log.warn({ error }, 'could not read the service status'),
      )
      .finally(() => {
        isLooking = false;
        if (mustPollAgain) look();
      });
  }

  const unsubscribe = deps.announce.subscribe(({ kind }) => {
    if (kind === 'service-status') look();
  }, look);
  const timer = setInterval(look, pollInterval);
  look();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      clearInterval(timer);
      unsubscribe();
      listeners.clear();
    },
  };
}
