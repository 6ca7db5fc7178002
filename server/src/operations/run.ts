/** The worker's loop: claims as many due operations as there are free engines, and renews the leases of its claims. */
import type { OperationType } from '@recodery/contract/families/registry';
import type { Announce } from '../postgres/announce.ts';
import {
  type AttemptDependencies,
  holdOf,
  leaseLost,
  prefixOf,
  runAttempt,
  tell,
  workerEnds,
} from './attempt.ts';
import { claimOperations, renewLeases } from './claim.ts';
import type { OperationRow } from './operation-rules.ts';

/** Milliseconds between two polls for due operations, when no announcement arrives earlier. */
const lookInterval = 1000;
/** Milliseconds between two lease renewals. */
const renewInterval = 2000;
/** Milliseconds that running operations have to finish when the worker is told to stop, and then to be handed back. */
const drainTimes = { end: 6000, handBack: 1500 } as const;

export interface RunDependencies extends AttemptDependencies {
  readonly announce: Pick<Announce, 'subscribe'>;
  readonly workerGuid: string;
  /** How many operations run at once. */
  readonly engines: number;
  /** Milliseconds that running operations have to finish when the worker is told to stop. */
  readonly drainMs?: number;
}

export interface Runner {
  /** Stops claiming, lets running operations finish, and hands back those that do not finish in time. */
  stop(): Promise<void>;
}

interface Running {
  readonly operation: OperationRow;
  readonly abort: AbortController;
  done: Promise<void>;
  fraction: number;
}

interface Loop {
  readonly deps: RunDependencies;
  readonly types: readonly OperationType[];
  readonly running: Map<string, Running>;
  looking: Promise<void> | null;
  mustLookAgain: boolean;
  isStopping: boolean;
}

/** Starts the loop. It never throws: failures are logged and retried with the next poll. */
export function startRunning(deps: RunDependencies): Runner {
  const loop: Loop = {
    deps,
    types: Object.keys(deps.handlers) as OperationType[],
    running: new Map(),
    looking: null,
    mustLookAgain: false,
    isStopping: false,
  };
  const unsubscribe = deps.announce.subscribe(
    (hint) => {
      if (hint.kind === 'operation-due') look(loop);
    },
    // announcements may have been missed
    () => look(loop),
  );
  const lookTimer = setInterval(() => look(loop), lookInterval);
  const renewTimer = setInterval(() => {
    renew(loop).catch((error: unknown) => deps.log.warn({ error }, 'leases could not be renewed'));
  }, renewInterval);
  look(loop);
  return {
    async stop() {
      loop.isStopping = true;
      unsubscribe();
      clearInterval(lookTimer);
      await loop.looking;
      const { size } = loop.running;
      if (size > 0) deps.log.info(`waiting for ${size} running operation${size === 1 ? '' : 's'}`);
      await settle(loop, deps.drainMs ?? drainTimes.end);
      for (const entry of loop.running.values()) entry.abort.abort(workerEnds);
      await settle(loop, drainTimes.handBack);
      clearInterval(renewTimer);
    },
  };
}

/** Claims due operations; a call during a poll triggers one more poll. */
function look(loop: Loop): void {
  loop.mustLookAgain = true;
  loop.looking ??= claimWhatFits(loop)
    .catch((error: unknown) => loop.deps.log.warn({ error }, 'nothing could be claimed'))
    .finally(() => {
      loop.looking = null;
    });
}

async function claimWhatFits(loop: Loop): Promise<void> {
  const { deps, running, types } = loop;
  while (loop.mustLookAgain) {
    loop.mustLookAgain = false;
    const free = deps.engines - running.size;
    if (free <= 0 || loop.isStopping) return;
    const claimed = await claimOperations(deps.db, deps.workerGuid, types, free);
    for (const operation of claimed) take(loop, operation);
  }
}

function take(loop: Loop, operation: OperationRow): void {
  // a lease that expired while we still worked: discard our own earlier attempt
  loop.running.get(operation.guid)?.abort.abort(leaseLost);
  const abort = new AbortController();
  const entry: Running = {
    operation,
    abort,
    fraction: operation.fraction,
    done: Promise.resolve(),
  };
  const work = {
    signal: abort.signal,
    storagePrefix: prefixOf(operation),
    report(fraction: number) {
      entry.fraction = fraction;
    },
  };
  loop.running.set(operation.guid, entry);
  entry.done = runAttempt(loop.deps, operation, work).finally(() => {
    if (loop.running.get(operation.guid) === entry) loop.running.delete(operation.guid);
    look(loop);
  });
}

async function renew(loop: Loop): Promise<void> {
  const { deps } = loop;
  const entries = [...loop.running.values()];
  if (entries.length === 0) return;
  const held = entries.map(({ operation, fraction }) => ({ ...holdOf(operation), fraction }));
  const kept = await deps.db.transaction().execute(async (trx) => {
    const guids = await renewLeases(trx, deps.workerGuid, held);
    // announce as running only what takes longer than this
    for (const { operation } of entries) {
      if (guids.has(operation.guid)) await tell(trx, 'operation', operation);
    }
    return guids;
  });
  for (const entry of entries) {
    const isEnded = loop.running.get(entry.operation.guid) !== entry;
    if (!isEnded && !kept.has(entry.operation.guid)) entry.abort.abort(leaseLost);
  }
}

/** Waits until all running operations have finished, at most `milliseconds`. */
async function settle(loop: Loop, milliseconds: number): Promise<void> {
  const entries = [...loop.running.values()];
  if (entries.length === 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([Promise.all(entries.map(({ done }) => done)), promise]);
  clearTimeout(timer);
}
