/** The setup of an installation without users: its first operator, organisation and devices. */
import * as z from 'zod/mini';
import { json, route, time } from '../api.ts';
import { session } from '../features/session.ts';

/** The page of the setup; the token is in its query. */
export const setupPath = '/setup';
/** Maximum devices of each kind that the setup adds. */
export const mostSetupDevices = 100;

const text = z.string().check(z.maxLength(1000));
// wrong values are refused with their field
const values = z.object({
  token: text,
  operator: z.object({
    email: text,
    name: text,
    /** Null if the operator has only a passkey, or users sign in at an external provider. */
    password: z.nullable(text),
    /** The JSON of the passkey that the browser has created (WebAuthn), and its name. */
    passkey: z.nullable(
      z.object({ credential: z.string().check(z.maxLength(20_000)), name: text }),
    ),
  }),
  organisation: z.object({ customerCode: text, name: text, culture: text }),
  groupCode: text,
  masters: z.array(z.object({ family: text, serial: text })).check(z.maxLength(mostSetupDevices)),
  slaves: z
    .array(z.object({ family: text, serial: text, masterSerial: text }))
    .check(z.maxLength(mostSetupDevices)),
});
export type SetupValues = z.infer<typeof values>;

/** A request as it reaches the server, to compare with what the browser knows about it. */
const connection = z.object({
  /** The origin that the portal is configured to have. */
  publicUrl: z.string(),
  protocol: z.string(),
  host: z.string(),
  /** The address that the request seems to come from. */
  address: z.string(),
  /** A proxy that forwards requests although it is not trusted; null: none does. */
  untrustedProxy: z.nullable(z.string()),
});
export type SeenConnection = z.infer<typeof connection>;

export const readSetup = route('GET', '/api/setup/{token}', {
  summary: 'Returns until when a setup link is valid, and how the request reaches the server.',
  access: 'public',
  isLimited: true,
  params: z.object({ token: z.string() }),
  secret: ['token'],
  answer: json(
    z.object({
      expiresOn: time,
      /** The external provider at which users sign in; null: the portal stores passwords. */
      issuer: z.nullable(z.string()),
      /** Whether browsers offer passkeys at the address of the portal: it has https, or is this machine. */
      canAddPasskey: z.boolean(),
      connection,
    }),
  ),
  refusals: ['SETUP_LINK_EXPIRED'],
});

export const testSetupEmail = route('POST', '/api/setup/{token}/email', {
  summary: 'Sends a test email, and returns the response of the mail server. Needs a setup link.',
  access: 'public',
  isLimited: true,
  params: z.object({ token: z.string() }),
  secret: ['token'],
  body: z.object({ to: text, culture: text }),
  // there are no users yet, and nothing changes
  audit: 'never',
  answer: json(
    z.object({
      /** `stored`: no mail server is configured, so that emails are only kept in a folder. */
      outcome: z.enum(['accepted', 'stored', 'failed']),
      /** What the mail server responded, in its own words; the file if it was stored. */
      response: z.string(),
    }),
  ),
  refusals: ['SETUP_LINK_EXPIRED', 'FIELDS_NOT_ACCEPTED'],
});

export const draftSetupPasskey = route('POST', '/api/setup/{token}/passkey', {
  summary:
    'Returns what a browser needs to create the passkey of the first operator (WebAuthn), as JSON in a string. Needs a setup link.',
  access: 'public',
  isLimited: true,
  params: z.object({ token: z.string() }),
  secret: ['token'],
  body: z.object({ email: text, name: text }),
  // the setup does, with the user
  audit: 'never',
  answer: json(z.object({ options: z.string() })),
  refusals: ['SETUP_LINK_EXPIRED', 'FeatureNotAvailable', 'FIELDS_NOT_ACCEPTED'],
});

export const setUp = route('POST', '/api/setup', {
  summary:
    'Adds the first operator with an organisation and its devices, and signs the operator in. Needs the token of a setup link, which works once.',
  access: 'public',
  isLimited: true,
  body: values,
  // its handler does, with the user
  audit: 'never',
  answer: json(
    z.object({
      /** Null: the operator signs in at the external provider. */
      session: z.nullable(session),
      /** The codes that replace a lost passkey, if one was added; they cannot be read again. */
      recoveryCodes: z.nullable(z.array(z.string())),
    }),
  ),
  refusals: ['SETUP_LINK_EXPIRED', 'BAD_REQUEST', 'FIELDS_NOT_ACCEPTED', 'API_ERROR_THROTTLING'],
});
