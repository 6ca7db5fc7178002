/** Opens the engine of each connection, and keeps its client as long as its credentials are the same. */
import type { Clock } from '../../config/clock.ts';
import type { Log } from '../../config/log.ts';
import type { Secrets } from '../../config/secrets.ts';
import { createBuiltInEngine } from '../../engine/built-in.ts';
import { createVendorClient, type VendorClient } from '../../engine/encoding-api/client.ts';
import {
  createEncodingApiEngine,
  type EncodingApiTimes,
} from '../../engine/encoding-api/engine.ts';
import { type Engine, EngineUnavailable } from '../../engine/engine.ts';
import type { EnginePool } from '../../engine/processes/pool.ts';
import { isRemoteSlotNeeded } from '../../operations/operations.ts';
import { takeNextNumber } from '../../organisations/device-changes.ts';
import {
  type EngineConnection,
  getConnection,
  getConnectionSecret,
} from '../../organisations/engine-connections.ts';
import type { Db } from '../../postgres/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import { openRead } from '../read-header.ts';

export interface EnginesDependencies {
  readonly db: Db;
  readonly storage: Pick<Storage, 'get'>;
  readonly secrets: Pick<Secrets, 'getKey' | 'getCurrentKey'>;
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
  getClient(connection: EngineConnection): Promise<VendorClient>;
}

/** Files that are received at once: each is in memory, several times over, until it is written. */
const mostReceived = 2;

/** Opens the engines of a worker. */
export function createEngines(deps: EnginesDependencies): Engines {
  const builtIn = createBuiltInEngine({
    pool: deps.pool,
    clock: deps.clock,
    openRead: (job) => openRead(deps, job),
    takeNextNumber: (slaveGuid) => takeNextNumber(deps.db, slaveGuid),
  });
  const receive = createGate(mostReceived);
  const clients = new Map<
    string,
    { readonly credentials: string; readonly client: VendorClient }
  >();

  const getClient = async ({ guid, url, clientGuid }: EngineConnection): Promise<VendorClient> => {
    const { secretKey, number } = await getConnectionSecret(deps, guid);
    const credentials = JSON.stringify([url, clientGuid, number]);
    const kept = clients.get(guid);
    if (kept?.credentials === credentials) return kept.client;
    const client = createVendorClient({ url, clientGuid, secretKey }, deps.times.answer);
    clients.set(guid, { credentials, client });
    return client;
  };

  return {
    getClient,
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
        receive,
        isNeeded: (slotGuid, except) =>
          isRemoteSlotNeeded(deps.db, connectionGuid, slotGuid, except),
      });
    },
  };
}

/** Lets `places` in at a time; the others wait in order. */
function createGate(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    }
    return work().finally(() => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    });
  };
}
