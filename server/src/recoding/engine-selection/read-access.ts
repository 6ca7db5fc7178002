/** The address of a connection's service, with the credentials that belong to it. */
import type { ServiceAccess } from '../../engine/kind.ts';
import {
  type EngineConnection,
  getConnectionSecret,
} from '../../engine-connections/engine-connections.ts';
import type { Secrets } from '../../secrets/secrets.ts';

export async function readAccess(
  deps: { readonly secrets: Pick<Secrets, 'getKey'> },
  connection: EngineConnection,
): Promise<ServiceAccess> {
  const { url, clientGuid } = connection;
  return { url, client: clientGuid, secret: await getConnectionSecret(deps, connection) };
}
