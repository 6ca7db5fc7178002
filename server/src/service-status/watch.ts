/** Tells when the service status changes, whoever changed it: a worker that stays silent announces nothing. */
import type { ServiceStatus } from '@recodery/contract/service-status';
import type { Announce } from '../postgres/announce.ts';
import type { Log } from '../config/log.ts';

/** Milliseconds between two looks. */
const lookInterval = 5000;

export interface ServiceStatusWatch {
  /** Hears each change from now on; gives back what ends it. */
  subscribe(listener: (status: ServiceStatus) => void): () => void;
  stop(): void;
}

/** Watches the status: by announcements, and by looking every 5 s. `read` asks for the present one. */
export function watchServiceStatus(deps: {
  readonly announce: Pick<Announce, 'subscribe'>;
  readonly log: Log;
  read(): Promise<ServiceStatus>;
}): ServiceStatusWatch {
  const listeners = new Set<(status: ServiceStatus) => void>();
  let last: ServiceStatus['statusCode'] | null = null;
  let isLooking = false;
  let mustLookAgain = false;

  /** One request at a time: of two at once the older answer could come last and be reported as the current one. */
  function look(): void {
    mustLookAgain = isLooking;
    if (isLooking) return;
    isLooking = true;
    deps
      .read()
      .then(
        (status) => {
          const isChange = last !== null && last !== status.statusCode;
          last = status.statusCode;
          if (isChange) for (const listener of listeners) listener(status);
        },
        (error: unknown) => deps.log.warn({ error }, 'the service status could not be read'),
      )
      .finally(() => {
        isLooking = false;
        if (mustLookAgain) look();
      });
  }

  const unsubscribe = deps.announce.subscribe(({ kind }) => {
    if (kind === 'service-status') look();
  }, look);
  const timer = setInterval(look, lookInterval);
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
