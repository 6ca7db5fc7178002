/** What a webhook says about an operation: the record that its receiver would read. */
import { encodingApiPrefix } from '@recodery/contract/encoding-api/routes';
import type { Kysely } from 'kysely';
import type { Clock } from './config/clock.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { describeRecord } from './encoding-api/operation-record.ts';
import { findSharer } from './notifications/find-sharer.ts';
import { describeOperation, type OperationRow } from './operations/operation-rules.ts';
import { presentOperation } from './operations/routes.ts';
import type { OrganisationId } from './organisations/caller.ts';
import type { Database } from './postgres/schema.ts';
import { getFamilyRoutes } from './recoding/families/registry.ts';
import { describeFinished } from './recoding/finished-operation.ts';
import { shapeResult } from './recoding/result-response.ts';
import { createTickets } from './slots/tickets.ts';
import type { WebhookDependencies } from './webhooks/deliver.ts';

interface DataDependencies {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'getCurrentKey' | 'listKeys'>;
  readonly config: Pick<Config, 'publicUrl'>;
}

/** Creates the function that describes an operation to the receiver of a webhook. */
export function createWebhookData(deps: DataDependencies): WebhookDependencies['describe'] {
  const { db, clock } = deps;
  const shaping = {
    ...createTickets(deps),
    getShape: (family: OperationRow['family']) => getFamilyRoutes(family).shapeDecode,
  };
  /** As the organisation's own `GET /api/async-operations/{guid}` returns it. */
  const describeOwn = (operation: OperationRow) =>
    presentOperation({ clock, shapeResult: (row) => shapeResult(shaping, row) }, operation);

  /** As far as it concerns the organisation that received its file; null when that is no longer shared. */
  const describeReceived = async (operation: OperationRow, receiver: OrganisationId) => {
    const fileGuid = describeFinished(operation).target?.fileGuid ?? null;
    const shared = fileGuid === null ? null : await findSharer(db, receiver, fileGuid);
    if (shared === null) return null;
    const mintFileURL = (_owner: OrganisationId, guid: string) =>
      shaping.mintSharedFileURL(receiver, guid);
    const result = await shapeResult({ ...shaping, mintFileURL }, operation);
    const record = describeOperation(operation, clock.now(), { ...result, name: shared.fileName });
    // the sender's own
    return { ...record, slotGUID: null, contextData: null };
  };

  /** For the callback address: as the Encoding API, which alone takes one, returns it. */
  const describeCalledBack = (operation: OperationRow) =>
    describeRecord(operation, operation.baseAddress ?? deps.config.publicUrl + encodingApiPrefix);

  return async ({ type, clientGuid, organisationId }, operation) => {
    if (type === 'file.received') return describeReceived(operation, organisationId);
    return clientGuid === null ? describeOwn(operation) : describeCalledBack(operation);
  };
}
