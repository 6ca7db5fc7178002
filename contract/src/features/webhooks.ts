/** Webhooks: endpoints of an organisation, the messages that they receive, and the attempts to deliver them. */
import * as z from 'zod/mini';
import { empty, guid, json, route, time } from '../api.ts';

/**
 * What a message is about. `file.received`: another organisation sent a file. `test`: a user asked for it. `file.sealed`: a
 * file was sealed again for a late download.
 */
export const webhookTypes = [
  'operation.completed',
  'file.received',
  'test',
  'file.sealed',
] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** Maximum endpoints of an organisation. */
export const mostWebhooks = 50;
/** Maximum characters of an endpoint's address. */
export const longestWebhookUrl = 2000;
/** Days that attempts are kept and can be replayed. */
export const deliveryDays = 10;
/** Maximum messages that the callers of an organisation can have delivered again, or as a test, in an hour. */
export const mostReplaysAnHour = 100;
/** Attempts in the list of one endpoint or client application, newest first. */
export const mostListedDeliveries = 500;

/** Why an attempt had no response. */
export const deliveryErrors = [
  'NAME_NOT_FOUND',
  'ADDRESS_NOT_ALLOWED',
  'CONNECTION_REFUSED',
  'CONNECTION_FAILED',
  'CERTIFICATE_NOT_TRUSTED',
  'TIMEOUT',
  'INTERNAL_ERROR',
] as const;
export type DeliveryError = (typeof deliveryErrors)[number];

export const webhook = z.object({ guid, url: z.string(), createdOn: time });
export type Webhook = z.infer<typeof webhook>;

/** A new endpoint with the secret that signs its messages, which is shown this once. */
export const newWebhook = z.extend(webhook, { secret: z.string() });
export type NewWebhook = z.infer<typeof newWebhook>;

/** One attempt to deliver a message. */
export const delivery = z.object({
  guid,
  /** The id of the message: the same for its retries and replays. */
  webhookId: guid,
  type: z.enum(webhookTypes),
  /** The HTTP status of the response; null: there was none, and `error` is the cause. 200 to 299 is a success. */
  status: z.nullable(z.number()),
  error: z.nullable(z.enum(deliveryErrors)),
  durationMs: z.number(),
  attemptedOn: time,
});
export type Delivery = z.infer<typeof delivery>;

const guidParams = z.object({ guid: z.string() });

export const listWebhooks = route('GET', '/api/webhooks', {
  summary: "Lists the organisation's webhook endpoints, newest first.",
  access: 'portal',
  answer: json(z.array(webhook)),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const addWebhook = route('POST', '/api/webhooks', {
  summary: 'Adds a webhook endpoint. Only this response contains its secret.',
  access: 'portal',
  role: 'manager',
  actsForCustomerCode: true,
  body: z.object({ url: z.string() }),
  answer: json(newWebhook),
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'CUSTOMER_CODE_CHANGED',
    'BAD_REQUEST',
    'CALLBACK_URL_NOT_ALLOWED',
  ],
});

export const removeWebhook = route('DELETE', '/api/webhooks/{guid}', {
  summary: 'Removes a webhook endpoint with its waiting messages and the list of its deliveries.',
  access: 'portal',
  role: 'manager',
  params: guidParams,
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
});

export const listDeliveries = route('GET', '/api/webhooks/{guid}/deliveries', {
  summary:
    'Lists the attempts of the last ten days to deliver messages to an endpoint, or to the callback addresses of a client application with this GUID; newest first.',
  access: 'portal',
  params: guidParams,
  answer: json(z.array(delivery)),
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
});

export const testWebhook = route('POST', '/api/webhooks/{guid}/test', {
  summary: 'Sends a signed test message to a webhook endpoint. Its deliveries show the result.',
  access: 'portal',
  role: 'manager',
  params: guidParams,
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'TOO_MANY_REPLAYS'],
});

export const replayDelivery = route('POST', '/api/webhook-deliveries/{guid}/replay', {
  summary: 'Delivers the message of an attempt again, with the same webhook-id.',
  access: 'portal',
  role: 'manager',
  params: guidParams,
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'TOO_MANY_REPLAYS'],
});
