/** The user's own account: name, language, password, and the sessions that are signed in. */
import * as z from 'zod/mini';
import { empty, guid, json, route, time } from '../api.ts';

export const account = z.object({
  email: z.string(),
  name: z.string(),
  /** The language that the user has chosen; null: that of the browser. */
  culture: z.nullable(z.string()),
  /** Whether the portal stores the password; otherwise the external provider does. */
  hasPassword: z.boolean(),
});
export type OwnAccount = z.infer<typeof account>;

export const accountSession = z.object({
  guid,
  /** The `User-Agent` of the browser that signed in; null: it sent none. */
  device: z.nullable(z.string()),
  /** The network address that the sign-in came from. */
  address: z.nullable(z.string()),
  createdOn: time,
  lastSeenOn: time,
  /** Whether the call itself belongs to it. */
  isCurrent: z.boolean(),
});
export type AccountSession = z.infer<typeof accountSession>;

const text = z.string().check(z.maxLength(1000));

export const getAccount = route('GET', '/api/account', {
  summary: "Returns the user's own account.",
  access: 'own-session',
  answer: json(account),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const updateAccount = route('PUT', '/api/account', {
  summary: "Changes the user's own name and language.",
  access: 'own-session',
  body: z.object({ name: text, culture: z.nullable(text) }),
  answer: json(account),
  refusals: ['API_ERROR_UNAUTHORIZED', 'FIELDS_NOT_ACCEPTED'],
});

export const changePassword = route('POST', '/api/account/password', {
  summary: "Changes the user's own password. All other sessions of the user end.",
  access: 'own-session',
  body: z.object({ oldPassword: text, newPassword: text }),
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'FIELDS_NOT_ACCEPTED', 'API_ERROR_THROTTLING'],
});

export const listSessions = route('GET', '/api/account/sessions', {
  summary: "Lists the user's own sessions, those used last first.",
  access: 'own-session',
  answer: json(z.array(accountSession)),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const endOtherSessions = route('DELETE', '/api/account/sessions', {
  summary: "Ends all of the user's sessions, except the one that calls.",
  access: 'own-session',
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const endOwnSession = route('DELETE', '/api/account/sessions/{guid}', {
  summary: "Ends one of the user's own sessions.",
  access: 'own-session',
  params: z.object({ guid: z.string() }),
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
});
