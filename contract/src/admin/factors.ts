/** The second factors of the user's own account: authenticator apps, passkeys, recovery codes. */
import * as z from 'zod/mini';
import { empty, guid, json, route, time } from '../api.ts';

export const factor = z.object({
  guid,
  kind: z.enum(['app', 'passkey']),
  name: z.string(),
  createdOn: time,
  lastUsedOn: z.nullable(time),
});
export type Factor = z.infer<typeof factor>;

export const ownFactors = z.object({
  factors: z.array(factor),
  recoveryCodesLeft: z.int(),
  /** Whether browsers offer passkeys at the address of the portal: it has https, or is this machine. */
  canAddPasskey: z.boolean(),
  /** Whether the user must add a factor before they can administer the installation. */
  isMissing: z.boolean(),
});
export type OwnFactors = z.infer<typeof ownFactors>;

/** The codes of a user who has added their first factor, or asked for new ones; they cannot be read again. */
export const recoveryCodes = z.object({ recoveryCodes: z.nullable(z.array(z.string())) });

/** A secret for an authenticator app; nothing is stored before a code of the app arrives. */
export const appDraft = z.object({
  /** To send back with the code, within 15 minutes. */
  draft: z.string(),
  /** To type into the app, in Base32. */
  secret: z.string(),
  /** The address that the app reads from the QR code. */
  address: z.string(),
  /** The rows of the QR code; `1` is a dark module. */
  rows: z.array(z.string()),
});
export type AppDraft = z.infer<typeof appDraft>;

/** Maximum characters of the name of a factor. */
export const longestFactorName = 64;
/** Maximum factors of a user. */
export const mostFactors = 20;

const text = z.string().check(z.maxLength(1000));
const longText = z.string().check(z.maxLength(20_000));

const changing = [
  'API_ERROR_UNAUTHORIZED',
  'CONFIRM_ACCOUNT',
  'FeatureNotAvailable',
  'FIELDS_NOT_ACCEPTED',
] as const;

export const listFactors = route('GET', '/api/account/factors', {
  summary: "Lists the user's own second factors.",
  access: 'own-session',
  answer: json(ownFactors),
  refusals: ['API_ERROR_UNAUTHORIZED', 'FeatureNotAvailable'],
});

export const confirmAccount = route('POST', '/api/account/confirm', {
  summary: 'Confirms the password. Changes to second factors are then possible for ten minutes.',
  access: 'own-session',
  body: z.object({ password: text }),
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'FIELDS_NOT_ACCEPTED', 'API_ERROR_THROTTLING'],
});

export const draftApp = route('POST', '/api/account/factors/apps/draft', {
  summary: 'Creates a secret for an authenticator app.',
  access: 'own-session',
  answer: json(appDraft),
  refusals: [...changing],
});

export const addApp = route('POST', '/api/account/factors/apps', {
  summary: 'Adds the authenticator app that shows the right code for a secret.',
  access: 'own-session',
  body: z.object({ draft: text, code: text, name: text }),
  answer: json(recoveryCodes),
  refusals: [...changing],
});

export const draftPasskey = route('POST', '/api/account/factors/passkeys/draft', {
  summary: 'Returns what a browser needs to create a passkey (WebAuthn), as JSON in a string.',
  access: 'own-session',
  answer: json(z.object({ options: z.string() })),
  refusals: [...changing],
});

export const addPasskey = route('POST', '/api/account/factors/passkeys', {
  summary: 'Adds the passkey that a browser has created; `credential` is its JSON (WebAuthn).',
  access: 'own-session',
  body: z.object({ credential: longText, name: text }),
  answer: json(recoveryCodes),
  refusals: [...changing],
});

export const renewRecoveryCodes = route('POST', '/api/account/factors/recovery-codes', {
  summary: 'Creates new recovery codes; the former ones no longer work.',
  access: 'own-session',
  answer: json(recoveryCodes),
  refusals: [...changing, 'NOT_FOUND'],
});

export const removeFactor = route('DELETE', '/api/account/factors/{guid}', {
  summary: "Removes one of the user's own second factors.",
  access: 'own-session',
  params: z.object({ guid: z.string() }),
  answer: empty,
  refusals: [...changing, 'NOT_FOUND'],
});
