/** Who is signed in: the session, how it begins and ends, the customer code in force, and the terms of use. */
import * as z from 'zod/mini';
import { empty, json, route } from './api.ts';

/** One group code with the serial numbers of its master devices, by family. */
export const groupCodeInfo = z.object({
  groupCode: z.string(),
  kessv2MasterDevicesSerialNumbers: z.array(z.string()),
  ktagMasterDevicesSerialNumbers: z.array(z.string()),
  kess3MasterDevicesSerialNumbers: z.array(z.string()),
});
export type GroupCodeInfo = z.infer<typeof groupCodeInfo>;

/** The session as the browser sees it. `groupCodesInfo` is of the current customer code. */
export const session = z.object({
  sessionID: z.string(),
  customerCode: z.string(),
  userDisplayName: z.string(),
  userOrganizationName: z.string(),
  userOrganizationLogoURL: z.nullable(z.string()),
  otherCustomerCodes: z.array(z.string()),
  /** Organisation names by customer code, the current one included. */
  customerCodeNames: z.record(z.string(), z.string()),
  groupCodesInfo: z.array(groupCodeInfo),
  culture: z.string(),
  canReceive: z.boolean(),
});
export type Session = z.infer<typeof session>;

export const validateSsoToken = route('POST', '/api/auth/validate-sso-token/{token}', {
  summary:
    'Trades the one-time token of the sign-in for a session; only in the browser that began it.',
  access: 'public',
  params: z.object({ token: z.string() }),
  secret: ['token'],
  answer: json(session),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const getSession = route('GET', '/api/auth/session/{sessionId}', {
  summary: 'The session; the id in the path must equal the one in the header.',
  access: 'session',
  params: z.object({ sessionId: z.string() }),
  secret: ['sessionId'],
  answer: json(session),
  refusals: ['API_ERROR_UNAUTHORIZED', 'SIGN_IN_AGAIN'],
});

export const switchCustomerCode = route(
  'POST',
  '/api/auth/session/{sessionId}/switch-customer-code/{code}',
  {
    summary: 'Works on under another customer code of the user; the session id stays.',
    access: 'session',
    params: z.object({ sessionId: z.string(), code: z.string() }),
    secret: ['sessionId'],
    answer: json(session),
    refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
  },
);

export const logout = route('POST', '/api/auth/session/{sessionId}/logout', {
  summary:
    'Ends the session here; the answer names where the browser goes to end it at the provider.',
  access: 'session',
  params: z.object({ sessionId: z.string() }),
  secret: ['sessionId'],
  answer: json(z.object({ signOutURL: z.nullable(z.string()) })),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const hasAcceptedTerms = route('GET', '/api/auth/tou/has-accepted', {
  summary: 'Whether the user has accepted the terms of use in their present version.',
  access: 'session',
  answer: json(z.boolean()),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const registerTerms = route('POST', '/api/auth/tou/register', {
  summary: "Records the user's acceptance of the terms of use.",
  access: 'session',
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED'],
});
