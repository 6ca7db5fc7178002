/** The contents of a webhook about an operation: its record of the Encoding API. */
import { encodingApiPrefix } from '@recodery/contract/encoding-api/routes';
import type { Kysely } from 'kysely';
import type { Clock } from './config/clock.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './secrets/secrets.ts';
import { describeRecord } from './encoding-api/operation-record.ts';
import { findSharer } from './notifications/find-sharer.ts';
import { findSealedAgain, type OperationRow } from './operations/operation-rules.ts';
import type { OrganisationId } from './organisations/caller.ts';
import type { Database } from './postgres/tables/schema.ts';
import { describeFinished } from './recoding/results/finished-operation.ts';
import { markOf } from './recoding/results/stored-result.ts';
import { createTickets } from './slots/sending/tickets.ts';
import type { WebhookDependencies } from './webhooks/webhook-queue.ts';

interface DataDependencies {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'getCurrentKey' | 'listKeys'>;
  readonly config: Pick<Config, 'publicUrl'>;
}

/** Creates the function that describes an operation to the recipient of a webhook. */
export function createWebhookData(deps: DataDependencies): WebhookDependencies['describe'] {
  const { db } = deps;
  const { publicUrl } = deps.config;
  const { mintSharedFileURL } = createTickets(deps);
  const base = publicUrl + encodingApiPrefix;
  const describeOwn = (operation: OperationRow) => describeRecord(operation, base);

  /** The record of the sealing, with the file that its encode made, as the Encoding API addresses it. */
  const describeSealed = (operation: OperationRow) => ({
    ...describeOwn(operation),
    firstFileGUID: findSealedAgain(operation),
  });

  /** The message for the organisation that received the file; null if the file is no longer shared. */
  const describeReceived = async (operation: OperationRow, receiver: OrganisationId) => {
    const fileGuid = describeFinished(operation).target?.fileGuid ?? null;
    const shared = fileGuid === null ? null : await findSharer(db, receiver, fileGuid);
    if (fileGuid === null || shared === null) return null;
    const bearer = { organisationId: receiver, accountGuid: null, clientGuid: null };
    // the Encoding API has addresses only for files of the caller's own slots
    const encodedFileURL = publicUrl + (await mintSharedFileURL(bearer, fileGuid));
    return {
      ...describeOwn(operation),
      result: { name: shared.fileName, encodedFileURL, ...markOf(operation.result ?? {}) },
      // these belong to the sender
      clientApplicationGUID: null,
      slotGUID: null,
      userInfo: null,
      callbackURL: null,
    };
  };

  return async ({ type, clientGuid, organisationId }, operation) => {
    if (type === 'file.received') return describeReceived(operation, organisationId);
    if (type === 'file.sealed') return describeSealed(operation);
    // a callback has the base address under which its program called
    return clientGuid === null
      ? describeOwn(operation)
      : describeRecord(operation, operation.baseAddress ?? base);
  };
}
