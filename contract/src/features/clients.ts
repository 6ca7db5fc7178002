/** Client applications: programs of an organisation that call the portal with an access token. */
import * as z from 'zod/mini';
import { empty, guid, json, route, time } from '../api.ts';

/** Days that an access token is valid, unless its client expires earlier. */
export const tokenDays = 30;
/** Maximum client applications of an organisation that are neither revoked nor expired. */
export const mostClients = 50;
/** Maximum valid access tokens of a client: enough for a new one each minute. */
export const mostTokens = 50_000;
/** Maximum access tokens that a client gets in a minute. */
export const mostTokensAMinute = 120;
/** Maximum characters of a client's name. */
export const longestClientName = 100;
/** Maximum networks from which one client may call. */
export const mostClientNetworks = 50;

/** A client's name: lists and terminals show it, so it has no control characters. */
export const clientName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1),
    z.maxLength(longestClientName),
    z.regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u),
  );

/** A client application as lists show it. */
export const client = z.object({
  clientApplicationGUID: guid,
  name: z.string(),
  /** In CIDR notation; empty: it may call from any address. */
  allowedNetworks: z.array(z.string()),
  createdOn: time,
  /** Its tokens are refused from this time on; null: never. */
  expiresOn: z.nullable(time),
  /** Accurate to a minute; null: never. */
  lastUsedOn: z.nullable(time),
  revokedOn: z.nullable(time),
});
export type Client = z.infer<typeof client>;

/** A new client with its secrets, which are shown this once. */
export const newClient = z.extend(client, {
  secretKey: z.string(),
  /** Signs the messages to the callback addresses of this client's operations. */
  webhookSecret: z.string(),
});
export type NewClient = z.infer<typeof newClient>;

export const requestAccessToken = route('POST', '/api/access-tokens/request', {
  summary: 'Returns an access token for a client application; older tokens stay valid.',
  access: 'public',
  dialect: 'encoding-api',
  isLimited: true,
  body: z.object({ clientApplicationGUID: z.string(), secretKey: z.string() }),
  answer: json(z.object({ accessToken: z.string(), expiresOn: time })),
  refusals: [
    'BAD_REQUEST',
    'INVALID_CREDENTIALS',
    'IP_NOT_ALLOWED',
    'API_ERROR_THROTTLING',
    'TOO_MANY_ACCESS_TOKENS',
  ],
});

export const listClients = route('GET', '/api/clients', {
  summary: "Lists the organisation's client applications, newest first, including revoked ones.",
  access: 'portal',
  answer: json(z.array(client)),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const addClient = route('POST', '/api/clients', {
  summary: 'Adds a client application. Only this response contains its secrets.',
  // only users: a client application could otherwise add one without its own expiry and allowed networks, which would
  // also outlive its revocation
  access: 'person',
  role: 'manager',
  actsForCustomerCode: true,
  body: z.object({
    name: clientName,
    /** Addresses and networks. */
    allowedNetworks: z.array(z.string()).check(z.maxLength(mostClientNetworks)),
    expiresOn: z.nullable(z.iso.datetime({ offset: true })),
  }),
  answer: json(newClient),
  refusals: ['API_ERROR_UNAUTHORIZED', 'CUSTOMER_CODE_CHANGED', 'BAD_REQUEST', 'TOO_MANY_CLIENTS'],
});

export const revokeClient = route('POST', '/api/clients/{guid}/revoke', {
  summary:
    'Revokes a client application. Its tokens stop working immediately, and it cannot get new ones.',
  access: 'portal',
  role: 'manager',
  params: z.object({ guid: z.string() }),
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
});
