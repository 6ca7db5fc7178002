/** The tables of webhooks as TypeScript types; part of `schema`. */
import type { WebhookType } from '@recodery/contract/features/webhooks';
import type { Generated } from 'kysely';
import type { DefaultTime, OptionalTime } from './column-types.ts';

export interface WebhookTables {
  webhook_endpoint: {
    guid: string;
    organisation_guid: string;
    url: string;
    created_on: DefaultTime;
  };
  webhook_message: {
    guid: string;
    webhook_id: string;
    organisation_guid: string;
    endpoint_guid: string | null;
    client_guid: string | null;
    /** Null: a test message. */
    operation_guid: string | null;
    type: WebhookType;
    status: Generated<'waiting' | 'delivered' | 'failed'>;
    attempt: Generated<number>;
    due_on: DefaultTime;
    lease_until: OptionalTime;
    created_on: DefaultTime;
  };
  webhook_attempt: {
    guid: string;
    message_guid: string;
    status: number | null;
    error: string | null;
    duration_ms: number;
    attempted_on: DefaultTime;
    receiver_guid: Generated<string>;
  };
}
