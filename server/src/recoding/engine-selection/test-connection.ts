/** Tests the connections to vendors' engines. */
import type { Clock } from '../../config/clock.ts';
import { serviceKinds } from '../../engine/kinds.ts';
import type { EngineFinding } from '../../engine/kind.ts';
import type { EngineConnection } from '../../engine-connections/engine-connections.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { readAccess } from './read-access.ts';

export interface EngineTestDependencies {
  readonly secrets: Pick<Secrets, 'getKey'>;
  readonly clock: Clock;
}

/** Reaches a connection's service with its credentials. */
export async function testConnection(
  { secrets, clock }: EngineTestDependencies,
  connection: EngineConnection,
): Promise<EngineFinding> {
  const access = await readAccess({ secrets }, connection);
  return serviceKinds[connection.kind].test(access, () => clock.now());
}
