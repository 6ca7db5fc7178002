/** Appends recorded events to the audit trail, in every worker; a lock lets one at a time. */
import type { Log } from '../config/log.ts';
import { type Repeating, startRepeating } from '../config/start-repeating.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { appendWaiting } from './audit.ts';

/** Milliseconds before the first round, and between two. */
const times = { first: 0, every: 5000 };

/** Appends at intervals until it is stopped; entries that are recorded later wait for the next start. */
export function startAppending({ db, log }: { readonly db: Db; readonly log: Log }): Repeating {
  let isFailing = false;
  return startRepeating('append to the audit trail', times, async (signal) => {
    try {
      while ((await appendWaiting(db)) > 0 && !signal.aborted);
      isFailing = false;
    } catch (error) {
      // during an outage, logging the first failure is enough
      if (!isFailing) log.warn({ error }, 'could not append to the audit trail');
      isFailing = true;
    }
  });
}
