/** What users are told by email about their second factors: someone else may have changed or used them. */
import type { Db } from '../../postgres/tables/schema.ts';
import type { FactorMailKind } from '../../postgres/tables/sign-in-tables.ts';

/** Queues the email in the transaction of the change; does nothing if the portal has no mail server. */
export type FactorNews = (
  trx: Db,
  news: { readonly accountGuid: string; readonly kind: FactorMailKind },
) => Promise<void>;
