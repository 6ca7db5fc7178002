/** Routes for client applications: the token request, and the list on the settings page. */
import * as contract from '@recodery/contract/features/clients';
import { Refusal } from '@recodery/contract/refusal';
import type { Kysely } from 'kysely';
import type { Secrets } from '../secrets/secrets.ts';
import type { Router } from '../http/serve.ts';
import type { Database } from '../postgres/tables/schema.ts';
import { answerTokenRequest } from './access-tokens.ts';
import { addClient, listClients, revokeClient } from './clients.ts';
import { readNetwork } from './networks.ts';

export interface ClientRouteDependencies {
  readonly db: Kysely<Database>;
  readonly secrets: Pick<Secrets, 'createKey' | 'retireKey'>;
}

/** Registers the routes of contract/clients. */
export function serveClients(router: Router, deps: ClientRouteDependencies): void {
  const { db } = deps;

  router.serve(contract.requestAccessToken, (asked) => answerTokenRequest(db, asked));

  router.serve(contract.listClients, ({ caller }) => listClients(db, caller.organisationId));

  router.serve(contract.addClient, ({ caller, body }) => {
    const allowedNetworks = body.allowedNetworks.map((text) => {
      const network = readNetwork(text);
      if (network === null) throw new Refusal('BAD_REQUEST');
      return network;
    });
    const expiresOn = body.expiresOn === null ? null : new Date(body.expiresOn);
    const isUsable =
      expiresOn === null || (expiresOn > new Date() && expiresOn.getUTCFullYear() <= 9999);
    if (!isUsable) throw new Refusal('BAD_REQUEST');
    const { organisationId } = caller;
    return addClient(deps, { organisationId, name: body.name, allowedNetworks, expiresOn });
  });

  router.serve(contract.revokeClient, async ({ caller, params }) => {
    const isOurs = await revokeClient(deps, caller.organisationId, params.guid);
    if (!isOurs) throw new Refusal('NOT_FOUND');
    return undefined;
  });
}
