/** Checks the connection to an external sign-in provider: its metadata, our client there, and its clock. */
import { randomBytes } from 'node:crypto';
import { signInCallbackPath } from '@recodery/contract/sign-in-paths';
import * as client from 'openid-client';
import { mostSkewMs } from '../postgres/database-clock.ts';
import { discover, type OidcSettings } from './oidc.ts';

type Judgment = readonly ['ok' | 'warning' | 'wrong', string];

/** What the token endpoint says about a client. */
type Verdict = { readonly isRefused: boolean; readonly error: string };

/** Checks the provider; nothing that it knows is changed, and no one is signed in. */
export async function checkProvider(settings: OidcSettings, publicUrl: string): Promise<Judgment> {
  const { issuer, clientId, clientSecret } = settings;
  const timed = timeResponses(settings);
  let known: client.Configuration;
  try {
    known = await discover(timed.settings);
  } catch (error) {
    return [
      'wrong',
      `${issuer} is not usable as a sign-in provider (${explain(error)}). Check RECODERY_OIDC_ISSUER, and whether this machine can reach and trust it.`,
    ];
  }
  const redirectUri = `${publicUrl}${signInCallbackPath}`;
  const verdict = await askForToken(known, redirectUri);
  if (verdict.isRefused) {
    const shown = clientSecret === null ? 'without a secret' : 'with this secret';
    return [
      'wrong',
      `${issuer} refuses the client ${clientId} ${shown} (${verdict.error}). Check RECODERY_OIDC_CLIENT_ID and RECODERY_OIDC_CLIENT_SECRET.`,
    ];
  }
  const skewMs = timed.readSkew();
  if (Math.abs(skewMs) > mostSkewMs) {
    const relation = skewMs > 0 ? 'ahead of' : 'behind';
    return [
      'warning',
      `This machine's clock is ${Math.round(Math.abs(skewMs) / 1000)} seconds ${relation} that of ${issuer}, so sign-ins can fail. Set up time synchronization.`,
    ];
  }
  if (clientSecret === null)
    return ['ok', `${issuer} responds. No client secret is set, so none was checked.`];
  const other = { ...settings, clientSecret: randomBytes(24).toString('base64url') };
  const wrong = await askForToken(await discover(other), redirectUri);
  return wrong.isRefused
    ? ['ok', `${issuer} responds, and accepts the client ID and its secret.`]
    : [
        'warning',
        `${issuer} responds, but the client secret cannot be checked: a wrong one gets the same response. Sign in once to check it.`,
      ];
}

/**
 * Redeems a code that was never issued: a provider first checks the client (RFC 6749, section 5.2), and then refuses
 * the code.
 */
async function askForToken(known: client.Configuration, redirectUri: string): Promise<Verdict> {
  const code = { code: randomBytes(24).toString('base64url'), redirect_uri: redirectUri };
  const verifier = { code_verifier: client.randomPKCECodeVerifier() };
  try {
    await client.genericGrantRequest(known, 'authorization_code', { ...code, ...verifier });
    return { isRefused: false, error: '' };
  } catch (error) {
    const { status, code: name } = await readRefusal(error);
    const isOfClient = name === 'invalid_client' || name === 'unauthorized_client';
    return { isRefused: status === 401 || isOfClient, error: name };
  }
}

/** The status and the error code of a response that is not a token. @throws what is no response */
async function readRefusal(error: unknown): Promise<{ status: number; code: string }> {
  if (error instanceof client.ResponseBodyError) return { status: error.status, code: error.error };
  if (error instanceof client.WWWAuthenticateChallengeError) {
    const body: unknown = await error.response.json().catch(() => null);
    const isNamed = typeof body === 'object' && body !== null && 'error' in body;
    return { status: error.status, code: isNamed ? String(body.error) : `status ${error.status}` };
  }
  throw error;
}

/** The settings with a fetch that compares the clocks, and the milliseconds by which ours is ahead. */
function timeResponses(settings: OidcSettings) {
  const ask: client.CustomFetch =
    settings.fetch ?? ((url, options) => fetch(url, options as RequestInit));
  let skewMs = 0;
  const timed: OidcSettings = {
    ...settings,
    async fetch(url, options) {
      const begun = Date.now();
      const response = await ask(url, options);
      const date = response.headers.get('date');
      // a cache repeats the time at which it stored the response; a date has no fractions of seconds
      if (date !== null && !response.headers.has('age'))
        skewMs = (begun + Date.now()) / 2 - (Date.parse(date) + 500);
      return response;
    },
  };
  return { settings: timed, readSkew: () => skewMs };
}

/** An error with its causes, such as the name of a host that is unknown. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${explain(cause)}` : error.message;
}
