/** Checks the connections to vendors' engines. */
import type { Clock } from '../../config/clock.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { type EngineFinding, checkConnection } from '../../engine/encoding-api/check-connection.ts';
import {
  type EncodingApiConnection,
  getConnectionSecret,
} from '../../engine-connections/engine-connections.ts';

export interface EngineTestDependencies {
  readonly secrets: Pick<Secrets, 'getKey'>;
  readonly clock: Clock;
}

/** Reaches a connection's service with its credentials. */
export async function testConnection(
  { secrets, clock }: EngineTestDependencies,
  connection: EncodingApiConnection,
): Promise<EngineFinding> {
  const { url, clientGuid } = connection;
  const secretKey = await getConnectionSecret({ secrets }, connection);
  return checkConnection({ url, clientGuid, secretKey }, () => clock.now());
}
