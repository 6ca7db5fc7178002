/** Opens the engine of each connection, and keeps it until the connection is changed. */
import type { Clock } from '../../config/clock.ts';
import { createSemaphore } from '../../config/semaphore.ts';
import type { Log } from '../../config/log.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { createBuiltInEngine } from '../../engine/built-in/built-in-engine.ts';
import { type Engine, EngineUnavailable } from '../../engine/engine.ts';
import type { EngineTimes, EngineTools, ServiceAccess, ServiceEngine } from '../../engine/kind.ts';
import { serviceKinds } from '../../engine/kinds.ts';
import type { EnginePool } from '../../engine/built-in/pool.ts';
import { takeNextNumber } from '../../organisations/device-changes.ts';
import {
  type EngineConnection,
  getConnection,
} from '../../engine-connections/engine-connections.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { VerifiedStorage } from '../../storage/verified-storage.ts';
import { listContextsInUse } from '../engine-contexts.ts';
import { findReadKeys } from '../read-header.ts';
import { readAccess } from './read-access.ts';

export interface EnginesDependencies {
  readonly db: Db;
  readonly storage: Pick<VerifiedStorage, 'peek'>;
  readonly secrets: Pick<Secrets, 'getKey'>;
  readonly pool: Pick<EnginePool, 'run'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes that a file may have. */
  readonly maxFileBytes: number;
  readonly times: EngineTimes;
}

export interface Engines {
  /** The engine of a connection; null: the built-in engine. @throws {EngineUnavailable} when it was removed */
  getEngine(connectionGuid: string | null): Promise<Engine>;
  /** The engine of a connection as it was read. */
  openEngine(connection: EngineConnection): Promise<ServiceEngine>;
  /** Aborts what no operation waits for. */
  stop(): void;
}

/**
 * Files that are received at once, in total and from one connection: each is in memory, several times, until it is
 * written, and a slow vendor must leave room for the others.
 */
const mostReceived = { total: 2, atOnce: 1 };

/** Opens the engines of a worker. */
export function createEngines(deps: EnginesDependencies): Engines {
  const builtIn = createBuiltInEngine({
    pool: deps.pool,
    clock: deps.clock,
    findReadKeys: (job) => findReadKeys(deps, job),
    takeNextNumber: (slaveGuid) => takeNextNumber(deps.db, slaveGuid),
  });
  const receiving = createSemaphore(mostReceived);
  const stopping = new AbortController();
  const { signal: stop } = stopping;
  const opened = new Map<string, { readonly madeFor: string; readonly engine: ServiceEngine }>();

  const openEngine = async (connection: EngineConnection): Promise<ServiceEngine> => {
    const { guid, kind } = connection;
    // all of it, so that a running worker also notices the change of a setting that is added later
    const madeFor = JSON.stringify(connection);
    const kept = opened.get(guid);
    if (kept?.madeFor === madeFor) return kept.engine;
    const access = await readAccess(deps, connection);
    const engine = serviceKinds[kind].open(access, createTools(connection, access));
    opened.set(guid, { madeFor, engine });
    return engine;
  };

  const createTools = (
    { guid, name, url }: EngineConnection,
    access: ServiceAccess,
  ): EngineTools => ({
    log: deps.log.child({ engine: name }),
    times: deps.times,
    maxFileBytes: deps.maxFileBytes,
    stop,
    async receive(signal, work) {
      const leave = await receiving.enter(guid, signal);
      return work().finally(leave);
    },
    async findAccess() {
      const current = await getConnection(deps.db, guid);
      // the credentials are for this address only
      return current.url !== url || current.isRemoved ? access : readAccess(deps, current);
    },
    reportRefusal: (reason) =>
      deps.log.error({ engine: name, reason, advice: adviseOn(name) }, credentialsRefused),
    listContextsInUse: (except) => listContextsInUse(deps, guid, except),
  });

  return {
    openEngine,
    stop: () => stopping.abort(),
    async getEngine(connectionGuid) {
      if (connectionGuid === null) return builtIn;
      const connection = await getConnection(deps.db, connectionGuid);
      if (connection.isRemoved)
        throw new EngineUnavailable(`the connection ${connection.name} was removed`);
      return openEngine(connection);
    },
  };
}

const credentialsRefused = 'an engine rejected the credentials';

/** Advice for the operator about rejected credentials. */
function adviseOn(name: string): string {
  return `Run \`recodery engine test "${name}"\`. If the credentials are wrong, add the connection again with --replace.`;
}
