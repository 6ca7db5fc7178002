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
    /** Null if users sign in at an external provider. */
    password: z.nullable(text),
  }),
  organisation: z.object({ customerCode: text, name: text, culture: text }),
  groupCode: text,
  masters: z.array(z.object({ family: text, serial: text })).check(z.maxLength(mostSetupDevices)),
  slaves: z
    .array(z.object({ family: text, serial: text, masterSerial: text }))
    .check(z.maxLength(mostSetupDevices)),
});
export type SetupValues = z.infer<typeof values>;

export const readSetup = route('GET', '/api/setup/{token}', {
  summary: 'Returns until when a setup link is valid.',
  access: 'public',
  isLimited: true,
  params: z.object({ token: z.string() }),
  secret: ['token'],
  answer: json(
    z.object({
      expiresOn: time,
      /** The external provider at which users sign in; null: the portal stores passwords. */
      issuer: z.nullable(z.string()),
    }),
  ),
  refusals: ['SETUP_LINK_EXPIRED'],
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
    }),
  ),
  refusals: ['SETUP_LINK_EXPIRED', 'BAD_REQUEST', 'FIELDS_NOT_ACCEPTED', 'API_ERROR_THROTTLING'],
});
