/** Opens the engine of each connection, and keeps its client until the connection is changed. */
import type { Clock } from '../../config/clock.ts';
import type { Log } from '../../config/log.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { createBuiltInEngine } from '../../engine/built-in/built-in-engine.ts';
import {
  createEncodingApiClient,
  type EncodingApiClient,
} from '../../encoding-api-client/client.ts';
import {
  createEncodingApiEngine,
  type EncodingApiTimes,
} from '../../engine/encoding-api/encoding-api-engine.ts';
import { type Engine, EngineUnavailable } from '../../engine/engine.ts';
import type { EnginePool } from '../../engine/built-in/pool.ts';
import { isRemoteSlotNeeded } from '../../operations/operations.ts';
import { takeNextNumber } from '../../organisations/device-changes.ts';
import {
  type EncodingApiConnection,
  getConnection,
  getConnectionSecret,
} from '../../engine-connections/engine-connections.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { VerifiedStorage } from '../../storage/verified-storage.ts';
import { openRead } from '../read-header.ts';
import { createConcurrencyLimit } from '../../queue/concurrency-limit.ts';

export interface EnginesDependencies {
  readonly db: Db;
  readonly storage: Pick<VerifiedStorage, 'peek'>;
  readonly secrets: Pick<Secrets, 'getKey'>;
  readonly pool: Pick<EnginePool, 'run'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes that a file may have. */
  readonly maxFileBytes: number;
  readonly times: EncodingApiTimes;
}

export interface Engines {
  /** The engine of a connection; null: the built-in engine. @throws {EngineUnavailable} when it was removed */
  getEngine(connectionGuid: string | null): Promise<Engine>;
  /** The client of a connection. */
  getClient(connection: EncodingApiConnection): Promise<EncodingApiClient>;
  /** Aborts what no operation waits for: token requests, and the closing of slots. */
  stop(): void;
}

/**
 * Files that are received at once, in total and from one connection: each is in memory, several times, until it is
 * written, and a slow vendor must leave room for the others.
 */
const mostReceived = { total: 2, perKey: 1 };

/** Opens the engines of a worker. */
export function createEngines(deps: EnginesDependencies): Engines {
  const builtIn = createBuiltInEngine({
    pool: deps.pool,
    clock: deps.clock,
    openRead: (job) => openRead(deps, job),
    takeNextNumber: (slaveGuid) => takeNextNumber(deps.db, slaveGuid),
  });
  const receive = createConcurrencyLimit(mostReceived);
  const stopping = new AbortController();
  const { signal: stop } = stopping;
  const clients = new Map<
    string,
    { readonly madeFor: string; readonly client: EncodingApiClient }
  >();

  const getClient = async (connection: EncodingApiConnection): Promise<EncodingApiClient> => {
    const { guid, name, url, clientGuid } = connection;
    // all of it, so that a running worker also notices the change of a setting that is added later
    const madeFor = JSON.stringify(connection);
    const kept = clients.get(guid);
    if (kept?.madeFor === madeFor) return kept.client;
    const address = { url, clientGuid, secretKey: await getConnectionSecret(deps, connection) };
    const client = createEncodingApiClient(address, {
      waitMs: deps.times.answer,
      stop,
      // the credentials are for this address only
      findAddress: async () => {
        const current = await getConnection(deps.db, guid);
        if (current.url !== url || current.isRemoved) return address;
        const secretKey = await getConnectionSecret(deps, current);
        return { url, clientGuid: current.clientGuid, secretKey };
      },
      onTokenRefused: (reason) =>
        deps.log.error({ engine: name, reason, advice: adviseOn(name) }, credentialsRefused),
    });
    clients.set(guid, { madeFor, client });
    return client;
  };

  return {
    getClient,
    stop: () => stopping.abort(),
    async getEngine(connectionGuid) {
      if (connectionGuid === null) return builtIn;
      const connection = await getConnection(deps.db, connectionGuid);
      if (connection.isRemoved)
        throw new EngineUnavailable(`the connection ${connection.name} was removed`);
      return createEncodingApiEngine({
        client: await getClient(connection),
        log: deps.log.child({ engine: connection.name }),
        maxFileBytes: deps.maxFileBytes,
        times: deps.times,
        stop,
        receive: (signal, work) => receive(connectionGuid, signal, work),
        isNeeded: (slotGuid, except) =>
          isRemoteSlotNeeded(deps.db, connectionGuid, slotGuid, except),
      });
    },
  };
}

const credentialsRefused = 'an engine rejected the credentials';

/** Advice for the operator about rejected credentials. */
function adviseOn(name: string): string {
  return `Run \`recodery engine test "${name}"\`. If the credentials are wrong, add the connection again with --replace.`;
}
