/** The resources that show operators how users sign in: the provider, and the sign-ins that failed. */
import { resource } from './resource.ts';

/** Why a sign-in failed. The first five are reported by the built-in provider. */
export const signInFailureReasons = [
  'wrong-password',
  'wrong-code',
  'passkey-refused',
  'unknown-address',
  'too-many',
  'no-account',
  'no-email',
  'unverified-email',
  'no-organisation',
  'refused',
  'expired',
  'failed',
] as const;
export type SignInFailureReason = (typeof signInFailureReasons)[number];

const ofExternal = { when: { field: 'provider', is: ['external'] } } as const;
const ofBuiltIn = { when: { field: 'provider', is: ['built-in'] } } as const;

/** Where users sign in: one record, which only the environment changes. */
export const signInProvider = resource({
  name: 'signIn',
  path: '/api/admin/sign-in',
  role: 'operator',
  title: 'provider',
  fields: {
    provider: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: ['built-in', 'external'],
    },
    source: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: ['environment', 'default'],
    },
    /** The names of the settings that decide. The built-in provider needs none. */
    variables: { kind: 'list', edit: 'never', ...ofExternal },
    issuer: { kind: 'text', edit: 'never', required: true },
    clientId: { kind: 'text', edit: 'never', ...ofExternal },
    /** Whether a client secret is set; its value is never shown. */
    hasSecret: { kind: 'switch', edit: 'never', ...ofExternal },
    /** How a user of the provider becomes one of the portal. */
    matching: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: ['subject', 'email'],
    },
    /** Whether browsers offer passkeys at the address of the portal. */
    hasPasskeys: { kind: 'switch', edit: 'never', ...ofBuiltIn },
    /** Whether users who have forgotten their password get an email. */
    sendsPasswords: { kind: 'switch', edit: 'never', ...ofBuiltIn },
    /** Whether operators need a second factor. */
    needsFactor: { kind: 'switch', edit: 'never', ...ofBuiltIn },
    /** The addresses to register at the provider. */
    redirectAddress: { kind: 'text', edit: 'never', isApart: true, ...ofExternal },
    signOutAddress: { kind: 'text', edit: 'never', isApart: true, ...ofExternal },
  },
  columns: ['provider', 'issuer', 'source'],
  search: [],
  sort: 'provider',
  can: {},
  /** `test` reaches the provider as a sign-in does, and signs no one in. */
  actions: ['test'],
  offered: { test: { field: 'provider', is: ['external'] } },
});

/** The last sign-ins that failed: of each reason the newest ones, for 30 days. */
export const signInFailures = resource({
  name: 'signInFailures',
  path: '/api/admin/sign-in-failures',
  role: 'operator',
  title: 'reason',
  fields: {
    reason: {
      kind: 'choice',
      edit: 'never',
      required: true,
      options: signInFailureReasons,
    },
    /** Null: no user has the address that was entered, which is not stored because it can be a password. */
    email: { kind: 'text', edit: 'never' },
    failedOn: { kind: 'time', edit: 'never', required: true },
    /** The network address. */
    address: { kind: 'text', edit: 'never' },
    /** The provider's own words. */
    detail: { kind: 'text', edit: 'never' },
  },
  columns: ['reason', 'email', 'failedOn', 'address', 'detail'],
  search: ['email', 'address', 'detail'],
  sort: '-failedOn',
  sortable: ['failedOn'],
  filters: { reason: { kind: 'choice', edit: 'never', options: signInFailureReasons } },
  isEndless: true,
  can: {},
  actions: [],
});
