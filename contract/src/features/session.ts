/** The session: who is signed in, how it starts and ends, the current customer code, and the terms of use. */
import * as z from 'zod/mini';
import { empty, file, json, route } from '../api.ts';
import type { RefusalCode } from '../errors.ts';
import { byWorkflow, definitionOf, describeMasters, families } from '../families/registry.ts';

/** Why a sign-in ended at `/loggedin?error=…` instead of in a session. */
export const signInErrors = [
  /** The provider refused, or the user canceled there. */
  'SIGN_IN_REFUSED',
  /** The sign-in took too long, or was started in another browser. */
  'SIGN_IN_EXPIRED',
  /** The provider knows the user, but this portal does not. */
  'SIGN_IN_ACCOUNT_UNKNOWN',
  /** The provider sent no email address, so the portal cannot find the account. */
  'SIGN_IN_EMAIL_MISSING',
  /** The provider did not confirm that it has verified the email address (claim `email_verified`). */
  'SIGN_IN_EMAIL_UNVERIFIED',
  /** The account belongs to no organisation. */
  'SIGN_IN_NO_ORGANISATION',
  /** The provider was unreachable or returned an invalid response. */
  'SIGN_IN_UNAVAILABLE',
] as const;
export type SignInError = (typeof signInErrors)[number];

/** One group code with the serial numbers of its master devices, by family. */
export const groupCodeInfo = z.object({
  groupCode: z.string(),
  ...describeMasters(() => z.array(z.string())),
});
export type GroupCodeInfo = z.infer<typeof groupCodeInfo>;

/** Why an entry point refuses a caller: the user, the subscription, or the family's devices. */
export const entryRefusals = [
  'USER_NO_RIGHTS',
  'FeatureNotAvailable',
  ...new Set(families.map((family) => definitionOf(family).noDevices)),
] as const satisfies readonly RefusalCode[];
export type EntryRefusal = (typeof entryRefusals)[number];

const mayEnter = z.nullable(z.enum(entryRefusals));

/**
 * For each page of the slaves, by its path segment: why its entry point refuses the caller, or null. Menus and cards
 * use it as a hint; the entry points decide.
 */
export const entries = z.object(byWorkflow(() => mayEnter));
export type Entries = z.infer<typeof entries>;

/** The session as the browser sees it. `groupCodesInfo` and `entries` belong to the current customer code. */
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
  /** The account's own language; without one the language of the request, by default en-US. */
  culture: z.string(),
  /** Whether the account may open the portal; without access, the server refuses every call for its data. */
  hasPortalAccess: z.boolean(),
  /** Whether the user administers the installation. */
  isOperator: z.boolean(),
  /** Whether the user manages the organisation of the current customer code. */
  isManager: z.boolean(),
  canReceive: z.boolean(),
  entries,
});
export type Session = z.infer<typeof session>;

export const validateSsoToken = route('POST', '/api/auth/validate-sso-token/{token}', {
  summary:
    'Exchanges the one-time token of a sign-in for a session. Works only in the browser that started the sign-in.',
  access: 'public',
  params: z.object({ token: z.string() }),
  secret: ['token'],
  // its handler does, with the user
  audit: 'never',
  answer: json(session),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const getSession = route('GET', '/api/auth/session/{sessionId}', {
  summary: 'Returns the session. The ID in the path must match the one in the header.',
  access: 'own-session',
  params: z.object({ sessionId: z.string() }),
  secret: ['sessionId'],
  answer: json(session),
  refusals: ['API_ERROR_UNAUTHORIZED', 'SIGN_IN_AGAIN'],
});

export const switchCustomerCode = route(
  'POST',
  '/api/auth/session/{sessionId}/switch-customer-code/{code}',
  {
    summary:
      'Switches the session to another customer code of the user. The session ID stays the same.',
    access: 'own-session',
    params: z.object({ sessionId: z.string(), code: z.string() }),
    secret: ['sessionId'],
    answer: json(session),
    refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
  },
);

export const logout = route('POST', '/api/auth/session/{sessionId}/logout', {
  summary:
    'Ends the session. The response contains the address that also signs the browser out at the provider, if there is one.',
  access: 'own-session',
  params: z.object({ sessionId: z.string() }),
  secret: ['sessionId'],
  answer: json(z.object({ signOutURL: z.nullable(z.string()) })),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const hasAcceptedTerms = route('GET', '/api/auth/tou/has-accepted', {
  summary: 'Returns whether the user has accepted the current version of the terms of use.',
  access: 'own-session',
  answer: json(z.boolean()),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const registerTerms = route('POST', '/api/auth/tou/register', {
  summary:
    "Records the user's acceptance of the terms of use. A `version` that is not the current one, because the terms have just changed, is refused.",
  access: 'own-session',
  query: z.object({ version: z.optional(z.string()) }),
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'TERMS_CHANGED'],
});

export const getLogo = route('GET', '/api/organisations/{guid}/logo/{version}', {
  summary:
    "Returns an organisation's logo. The version changes with the image, so clients can cache it permanently.",
  access: 'public',
  params: z.object({ guid: z.string(), version: z.string() }),
  audit: 'never',
  answer: file('image/*'),
  refusals: ['NOT_FOUND'],
});
