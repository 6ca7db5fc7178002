/** Routes for webhooks: the endpoints on the settings page, and their deliveries. */
import { Refusal } from '@recodery/contract/refusal';
import * as contract from '@recodery/contract/features/webhooks';
import type { Kysely } from 'kysely';
import type { Secrets } from '../secrets/secrets.ts';
import type { Router } from '../http/serve.ts';
import type { Database } from '../postgres/tables/schema.ts';
import type { AddressCheck } from './addresses.ts';
import { listAttempts } from './attempts.ts';
import { addEndpoint, listEndpoints, removeEndpoint } from './endpoints.ts';
import { insertTest, replayMessage } from './messages.ts';

export interface WebhookRouteDependencies {
  readonly db: Kysely<Database>;
  readonly secrets: Pick<Secrets, 'createKey'>;
  readonly addresses: Pick<AddressCheck, 'admit'>;
}

/** Registers the routes of contract/webhooks. */
export function serveWebhooks(router: Router, deps: WebhookRouteDependencies): void {
  const { db } = deps;

  router.serve(contract.listWebhooks, ({ caller }) => listEndpoints(db, caller.organisationId));

  router.serve(contract.addWebhook, async ({ caller, body }) => {
    await deps.addresses.admit(body.url);
    return addEndpoint(deps, caller.organisationId, body.url);
  });

  router.serve(contract.removeWebhook, async ({ caller, params }) => {
    const isOurs = await removeEndpoint(deps.db, caller.organisationId, params.guid);
    if (!isOurs) throw new Refusal('NOT_FOUND');
    return undefined;
  });

  router.serve(contract.listDeliveries, async ({ caller, params }) => {
    const attempts = await listAttempts(db, caller.organisationId, params.guid);
    if (attempts === null) throw new Refusal('NOT_FOUND');
    return attempts;
  });

  router.serve(contract.testWebhook, async ({ caller, params }) => {
    const isOurs = await insertTest(db, caller.organisationId, params.guid);
    if (!isOurs) throw new Refusal('NOT_FOUND');
    return undefined;
  });

  router.serve(contract.replayDelivery, async ({ caller, params }) => {
    const isOurs = await replayMessage(db, caller.organisationId, params.guid);
    if (!isOurs) throw new Refusal('NOT_FOUND');
    return undefined;
  });
}
