/**
 * The worker's queues of operations, one for the built-in engine and one for vendors' engines, under renewed leases.
 */
import type { OperationType } from '@recodery/contract/families/registry';
import { type Announce, type AnnouncementKind, notify } from '../postgres/announce.ts';
import { leaseLost, type Runner, startQueue } from '../queue/queue.ts';
import { type AttemptDependencies, prefixOf, runAttempt } from './attempt.ts';
import {
  type ClaimedOperation,
  changeOf,
  claimOperations,
  claimRemoteOperations,
  saveOperationContext,
  renewLeases,
} from './claim.ts';
import { workingStage } from './operation-rules.ts';

/**
 * Milliseconds between two polls, between two lease renewals, and that running operations have when the worker stops.
 * An operation at a vendor continues there, and another worker polls it.
 */
const times = { poll: 4000, renew: 2000, drain: 6000, remoteDrain: 1000 } as const;

/**
 * Milliseconds after the last operation of a user that a worker waits before it prepares restore kits: the next upload
 * of a series must not share processors and engines with them.
 */
export const undisturbedMs = 2000;

export interface RunDependencies extends AttemptDependencies {
  readonly announce: Pick<Announce, 'subscribe'>;
  readonly workerGuid: string;
  /** How many operations use the built-in engine at once. As many others can be stored meanwhile. */
  readonly engines: number;
  /** How many operations run at once at each connection to a vendor's engine. They use no process here. */
  readonly operationsPerConnection: number;
  /** Milliseconds that running operations have to finish when the worker is told to stop. */
  readonly drainMs?: number;
  /** Milliseconds between two polls for due operations. */
  readonly pollMs?: number;
  /** Milliseconds after the last operation of a user before restore kits are prepared. */
  readonly undisturbedMs: number;
}

/** Starts to run due operations. Those that do not finish before the worker stops are handed back. */
export function startRunning(deps: RunDependencies): Runner {
  const drainMs = deps.drainMs ?? times.drain;
  const remoteDrainMs = Math.min(drainMs, times.remoteDrain);
  const { db, workerGuid, engines, operationsPerConnection } = deps;
  const types = Object.keys(deps.handlers) as OperationType[];
  const quiet = watchQuiet(deps.undisturbedMs, () => builtIn.wake());
  const builtIn = startOne(deps, {
    noun: 'operation',
    due: 'operation-due',
    atOnce: engines,
    drainMs,
    claim: async (count) => {
      const claimed = await claimOperations(db, workerGuid, types, count, quiet.isQuiet());
      for (const { isBackground } of claimed) if (!isBackground) quiet.begin();
      return claimed;
    },
    onEnd: ({ isBackground }) => {
      if (!isBackground) quiet.end();
    },
  });
  const runners = [
    builtIn,
    startOne(deps, {
      noun: 'remote operation',
      due: 'remote-operation-due',
      // the limit applies to each connection separately
      atOnce: Number.POSITIVE_INFINITY,
      drainMs: remoteDrainMs,
      claim: () => claimRemoteOperations(db, workerGuid, types, operationsPerConnection),
    }),
  ];
  return {
    wake: builtIn.wake,
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
      quiet.stop();
    },
  };
}

/** Measures how long this worker runs no operation of a user, and calls `onQuiet` when that is `undisturbedMs`. */
function watchQuiet(undisturbedMs: number, onQuiet: () => void) {
  let running = 0;
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  return {
    isQuiet: () => running === 0 && timer === null,
    begin(): void {
      running += 1;
      stop();
    },
    end(): void {
      running -= 1;
      if (running > 0) return;
      timer = setTimeout(() => {
        timer = null;
        onQuiet();
      }, undisturbedMs).unref();
    },
    stop,
  };
}

interface OneQueue {
  readonly noun: string;
  readonly due: AnnouncementKind;
  readonly atOnce: number;
  readonly drainMs: number;
  claim(count: number): Promise<readonly ClaimedOperation[]>;
  /** Called when an attempt has ended. */
  onEnd?(operation: ClaimedOperation): void;
}

function startOne(deps: RunDependencies, { claim, onEnd, ...queue }: OneQueue): Runner {
  const { db, workerGuid } = deps;
  return startQueue(deps, {
    ...queue,
    pollMs: deps.pollMs ?? times.poll,
    claim: async (count) => {
      const claimed = await claim(count);
      return claimed.map((operation) => {
        const { guid, attempt, fraction, isLast } = operation;
        const stage = workingStage(operation);
        return { guid, attempt, isLast, fraction, stage, operation, announced: '' };
      });
    },
    run: (row, signal, leave) =>
      runAttempt(deps, row.operation, {
        signal,
        leaveEngine() {
          const { isBackground, connectionGuid } = row.operation;
          // the next one in the background, or at a connection, does not start before this one has ended
          if (!isBackground && connectionGuid === null) leave();
        },
        storagePrefix: prefixOf(row.operation),
        report(fraction, isWaiting) {
          row.fraction = fraction;
          row.stage = isWaiting ? 'WAITING_FOR_ENGINE' : workingStage(row.operation);
        },
        async remember(sealed) {
          if (!(await saveOperationContext(db, row, sealed))) throw leaseLost;
        },
      }).finally(() => onEnd?.(row.operation)),
    renewal: {
      everyMs: times.renew,
      async renew(rows) {
        // an attempt may report more while this is written: that is announced with the next renewal
        const reports = rows.map((row) => ({
          ...row,
          row,
          progress: `${row.stage} ${row.fraction}`,
        }));
        // an operation is announced as running only if it takes longer than this, and then only its progress
        const isNew = (report: (typeof reports)[number]) =>
          report.announced !== report.progress && !report.operation.isBackground;
        const kept = await db.transaction().execute(async (trx) => {
          const renewed = await renewLeases(trx, workerGuid, reports);
          for (const report of reports.filter(isNew)) {
            if (renewed.has(report.guid)) await notify(trx, changeOf(report.operation));
          }
          return renewed;
        });
        for (const { row, guid, progress } of reports) if (kept.has(guid)) row.announced = progress;
        return kept;
      },
    },
  });
}
