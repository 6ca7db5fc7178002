/** Appends recorded events to the audit trail, in every worker; a lock lets one at a time. */
import type { Log } from '../config/log.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { appendWaiting } from './audit.ts';

/** Milliseconds between two rounds. */
const every = 1000;

/** Appends at intervals until it is stopped; entries that are recorded later wait for the next start. */
export function startAppending({ db, log }: { readonly db: Db; readonly log: Log }): {
  stop(): Promise<void>;
} {
  let isStopped = false;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  const round = async (): Promise<void> => {
    try {
      while ((await appendWaiting(db)) > 0 && !isStopped);
      isFailing = false;
    } catch (error) {
      // during an outage, logging the first failure is enough
      if (!isFailing) log.warn({ error }, 'could not append to the audit trail');
      isFailing = true;
    }
    if (!isStopped) timer = setTimeout(run, every);
  };
  let running = Promise.resolve();
  const run = (): void => {
    running = round();
  };
  run();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
