/** Closes what operations have left open at vendors' engines: after a start, and after each operation there. */
import { families } from '@recodery/contract/families/registry';
import type { Log } from '../../config/log.ts';
import { closeOrphans } from '../../engine/encoding-api/sweep.ts';
import { findLastRemoteEnds, isRemoteSlotNeeded } from '../../operations/operations.ts';
import { type EngineConnection, listConnections } from '../../organisations/engine-connections.ts';
import type { Db } from '../../postgres/schema.ts';
import type { Engines } from './engines.ts';

export interface EngineSweepDependencies {
  readonly db: Db;
  readonly engines: Pick<Engines, 'getClient'>;
  readonly log: Log;
}

export interface EngineSweeping {
  /** Cuts off the current sweep. */
  stop(): Promise<void>;
}

/** Milliseconds from the start to the first sweep, and between two. */
export const engineSweepTimes = { first: 5000, every: 10_000 };

/**
 * Sweeps at intervals until it is stopped. A connection is asked only when an operation there has ended since its last
 * sweep that succeeded; failures are logged and retried with the next sweep.
 */
export function startEngineSweep(
  deps: EngineSweepDependencies,
  times: typeof engineSweepTimes,
): EngineSweeping {
  const stopping = new AbortController();
  /** The last end of an operation that a sweep has seen, by connection. */
  const swept = new Map<string, number>();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const plan = (delay: number): void => {
    if (!stopping.signal.aborted) timer = setTimeout(round, delay);
  };
  const round = (): void => {
    running = sweepDue(deps, swept, stopping.signal).catch((error: unknown) =>
      deps.log.warn({ error }, 'could not sweep the engines'),
    );
    void running.then(() => plan(times.every));
  };
  plan(times.first);
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

async function sweepDue(
  deps: EngineSweepDependencies,
  swept: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const ends = await findLastRemoteEnds(deps.db);
  const sweepOne = async (connection: EngineConnection): Promise<void> => {
    const { guid, name } = connection;
    const end = ends.get(guid)?.getTime() ?? 0;
    if (swept.get(guid) === end) return;
    const closed = await sweepEngine(deps, connection, signal);
    swept.set(guid, end);
    if (closed > 0) deps.log.info({ engine: name, closed }, 'closed orphaned slots of an engine');
  };
  await Promise.all(
    (await listConnections(deps.db)).map((connection) =>
      sweepOne(connection).catch((error: unknown) => {
        if (!signal.aborted)
          deps.log.warn({ error, engine: connection.name }, 'could not sweep an engine');
      }),
    ),
  );
}

/** Closes the open slots of a connection that no running operation of ours needs; returns how many. */
export async function sweepEngine(
  { db, engines }: Pick<EngineSweepDependencies, 'db' | 'engines'>,
  connection: EngineConnection,
  signal: AbortSignal,
): Promise<number> {
  return closeOrphans({
    client: await engines.getClient(connection),
    families,
    signal,
    isNeeded: (slotGuid) => isRemoteSlotNeeded(db, connection.guid, slotGuid, null),
  });
}
