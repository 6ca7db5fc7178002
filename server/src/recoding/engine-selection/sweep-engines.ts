/** Closes what operations have left open at vendors' engines: after a start, and after each operation there. */
import type { Log } from '../../config/log.ts';
import { type Repeating, startRepeating } from '../../config/start-repeating.ts';
import type { SweepOutcome } from '../../engine/kind.ts';
import { listConnections } from '../../engine-connections/engine-connections.ts';
import { findLastRemoteEnds } from '../../operations/operations.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { Engines } from './open-engines.ts';

export interface EngineSweepDependencies {
  readonly db: Db;
  readonly engines: Pick<Engines, 'openEngine'>;
  readonly log: Log;
}

/** Milliseconds from the start to the first sweep, and between two. */
export const engineSweepTimes = { first: 5000, every: 10_000 };

/** The outcome of engines where nothing is ever open. */
const nothing: SweepOutcome = { closed: 0, faults: [] };

/** The state of a connection's sweeps. */
interface Sweeps {
  /** The running sweep: a vendor that does not respond does not delay the others. */
  running: Promise<void>;
  isRunning: boolean;
  /** The latest end of an operation that a successful sweep has seen. */
  seen: number | null;
  /** The errors that were logged most recently. */
  logged: string;
}

/**
 * Sweeps at intervals until it is stopped. A connection is swept only if an operation there has ended since its last
 * successful sweep; failures are logged, once until they change, and retried with the next sweep. Stopping aborts the
 * running sweeps.
 */
export function startEngineSweep(
  deps: EngineSweepDependencies,
  times: typeof engineSweepTimes,
): Repeating {
  const sweeps = new Map<string, Sweeps>();
  const rounds = startRepeating('sweep engines', times, (signal) =>
    startDue(deps, sweeps, signal).catch((error: unknown) =>
      deps.log.warn({ error }, 'could not close unused slots of the engines'),
    ),
  );
  return {
    async stop() {
      await rounds.stop();
      await Promise.all([...sweeps.values()].map(({ running }) => running));
    },
  };
}

/** Starts a sweep of each connection that is due and not being swept. */
async function startDue(
  deps: EngineSweepDependencies,
  sweeps: Map<string, Sweeps>,
  signal: AbortSignal,
): Promise<void> {
  const connections = await listConnections(deps.db);
  if (connections.length === 0) return;
  const ends = await findLastRemoteEnds(deps.db);
  for (const connection of connections) {
    const { guid } = connection;
    const known = sweeps.get(guid) ?? {
      running: Promise.resolve(),
      isRunning: false,
      seen: null,
      logged: '',
    };
    sweeps.set(guid, known);
    const end = ends.get(guid)?.getTime() ?? 0;
    if (signal.aborted || known.isRunning || known.seen === end) continue;
    known.isRunning = true;
    known.running = deps.engines
      .openEngine(connection)
      .then((engine) => engine.sweep?.(signal) ?? nothing)
      .catch((error: unknown) => ({ closed: 0, faults: [{ part: null, error }] }))
      .then(({ closed, faults }) => {
        known.isRunning = false;
        if (faults.length === 0) known.seen = end;
        if (!signal.aborted)
          logSweep(deps.log.child({ engine: connection.name }), known, closed, faults);
      });
  }
}

function logSweep(
  log: Log,
  known: Sweeps,
  closed: number,
  faults: readonly { readonly part: string | null; readonly error: unknown }[],
): void {
  if (closed > 0) log.info({ closed }, 'closed orphaned slots of an engine');
  const texts = faults.map(({ part, error }) => `${part}: ${String(error)}`).join('\n');
  if (texts !== known.logged)
    for (const { part, error } of faults)
      log.warn({ family: part, error }, 'could not close unused slots of an engine');
  known.logged = texts;
}
