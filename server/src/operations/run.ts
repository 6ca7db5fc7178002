/** The worker's queue of operations: as many at once as there are engines, under leases that are renewed. */
import type { OperationType } from '@recodery/contract/families/registry';
import type { Announce } from '../postgres/announce.ts';
import { type Runner, startQueue } from '../queue/queue.ts';
import { type AttemptDependencies, prefixOf, runAttempt, tell } from './attempt.ts';
import { claimOperations, renewLeases } from './claim.ts';

/** Milliseconds between two polls, between two lease renewals, and that running operations have when the worker stops. */
const times = { poll: 1000, renew: 2000, drain: 6000 } as const;

export interface RunDependencies extends AttemptDependencies {
  readonly announce: Pick<Announce, 'subscribe'>;
  readonly workerGuid: string;
  /** How many operations run at once. */
  readonly engines: number;
  /** Milliseconds that running operations have to finish when the worker is told to stop. */
  readonly drainMs?: number;
}

/** Starts to run due operations. Those that do not finish before the worker stops are handed back. */
export function startRunning(deps: RunDependencies): Runner {
  const { db, workerGuid } = deps;
  const types = Object.keys(deps.handlers) as OperationType[];
  return startQueue(deps, {
    noun: 'operation',
    due: 'operation-due',
    pollMs: times.poll,
    atOnce: deps.engines,
    drainMs: deps.drainMs ?? times.drain,
    claim: async (count) => {
      const claimed = await claimOperations(db, workerGuid, types, count);
      return claimed.map((operation) => {
        const { guid, attempt, fraction } = operation;
        return { guid, attempt, fraction, operation };
      });
    },
    run: (row, signal) =>
      runAttempt(deps, row.operation, {
        signal,
        storagePrefix: prefixOf(row.operation),
        report(fraction) {
          row.fraction = fraction;
        },
      }),
    renewal: {
      everyMs: times.renew,
      renew: (rows) =>
        db.transaction().execute(async (trx) => {
          const kept = await renewLeases(trx, workerGuid, rows);
          // announce as running only what takes longer than this
          for (const { guid, operation } of rows) {
            if (kept.has(guid)) await tell(trx, 'operation', operation);
          }
          return kept;
        }),
    },
  });
}
