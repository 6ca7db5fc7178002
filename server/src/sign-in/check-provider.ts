/**
 * Tests the connection to an external sign-in provider as a sign-in uses it: its metadata, keys and endpoints, our client
 * there, our redirect address, and its clock. It fetches only the configured issuer and the addresses in its metadata.
 */
import { randomBytes } from 'node:crypto';
import type { providerParts } from '@recodery/contract/admin/derive-routes';
import { signInCallbackPath } from '@recodery/contract/sign-in-paths';
import * as client from 'openid-client';
import { isLoopback } from '../config/config.ts';
import { mostSkewMs } from '../postgres/database-clock.ts';
import { explainError } from './explain-error.ts';
import { discover, type OidcSettings } from './oidc.ts';

/** One part of the test. `unchecked`: the provider does not show it, so only a sign-in can. */
export interface ProviderCheck {
  readonly what: (typeof providerParts)[number];
  readonly state: 'ok' | 'warning' | 'wrong' | 'unchecked';
  readonly text: string;
}

/** Everything that was tested, its worst state, and the sentences that explain it. */
export interface ProviderTest {
  readonly state: 'ok' | 'warning' | 'wrong';
  readonly text: string;
  readonly checks: readonly ProviderCheck[];
}

type Judgment = readonly [ProviderCheck['state'], string];

/** What the token endpoint says about a client. */
type Verdict = { readonly isRefused: boolean; readonly error: string };

/** Milliseconds that the whole test may take, and bytes that a response may have. */
const limits = { ms: 15_000, bytes: 262_144 } as const;

/** Tests the provider; nothing that it knows is changed, and no one is signed in. */
export async function checkProvider(
  settings: OidcSettings,
  publicUrl: string,
): Promise<ProviderTest> {
  const asked = boundRequests(settings);
  const redirectUri = `${publicUrl}${signInCallbackPath}`;
  const { issuer } = settings;
  let known: client.Configuration;
  try {
    known = await discover(asked.settings);
  } catch (error) {
    const other = asked.readIssuer();
    const cause =
      other === null || other === issuer
        ? explainError(error)
        : `its metadata names another issuer, ${other}`;
    const text = `${issuer} is not usable as a sign-in provider (${cause}). Check RECODERY_OIDC_ISSUER, and whether this machine can reach and trust it.`;
    return sum([{ what: 'metadata', state: 'wrong', text }]);
  }
  const metadata = known.serverMetadata();
  const checks: ProviderCheck[] = [];
  const judge = async (
    what: ProviderCheck['what'],
    look: () => Promise<Judgment>,
  ): Promise<void> => {
    const [state, text] = await look().catch(
      (error: unknown): Judgment => [
        'wrong',
        `${issuer} did not answer (${explainError(error)}). Check whether this machine can reach it.`,
      ],
    );
    checks.push({ what, state, text });
  };
  await judge('metadata', async () => [
    'ok',
    `${issuer} responds, and its metadata names this issuer.`,
  ]);
  await judge('endpoints', async () => judgeEndpoints(issuer, metadata));
  await judge('keys', () => judgeKeys(asked.ask, metadata.jwks_uri));
  await judge('client', () => judgeClient(asked.settings, known, redirectUri));
  await judge('redirect', () => judgeRedirect(asked.ask, known, redirectUri));
  await judge('clock', async () => judgeClock(issuer, asked.readSkew()));
  return sum(checks);
}

/** The worst state, and the sentences that explain it. */
function sum(checks: readonly ProviderCheck[]): ProviderTest {
  const state = (['wrong', 'warning'] as const).find((one) =>
    checks.some((check) => check.state === one),
  );
  const decisive = checks.filter((check) =>
    state === undefined ? check.what === 'client' : check.state === state,
  );
  return { state: state ?? 'ok', text: decisive.map(({ text }) => text).join(' '), checks };
}

/** Whether an address of the provider cannot be read on the way: it has https, or is this machine. */
function isProtected(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopback(hostname);
}

/** Whether a sign-in uses an address without a risk: at an issuer with https, http is refused even on this machine. */
function mayUse(issuer: string, address: string): boolean {
  return new URL(issuer).protocol === 'https:'
    ? new URL(address).protocol === 'https:'
    : isProtected(address);
}

/** Everything that a sign-in needs must be there, and encrypted on the way. */
function judgeEndpoints(issuer: string, metadata: client.ServerMetadata): Judgment {
  const { authorization_endpoint: start, token_endpoint: token, jwks_uri: keys } = metadata;
  const needed = { authorization_endpoint: start, token_endpoint: token, jwks_uri: keys };
  const missing = Object.entries(needed).filter(([, address]) => address === undefined);
  const names = (found: readonly (readonly [string, unknown])[]): string =>
    found.map(([name]) => name).join(', ');
  if (missing.length > 0)
    return [
      'wrong',
      `The metadata of ${issuer} does not list ${names(missing)}. No one can sign in.`,
    ];
  const optional = {
    userinfo_endpoint: metadata.userinfo_endpoint,
    end_session_endpoint: metadata.end_session_endpoint,
  };
  const all = Object.entries({ issuer, ...needed, ...optional }).flatMap(([name, address]) =>
    address === undefined ? [] : [[name, address] as const],
  );
  const invalid = all.filter(([, address]) => !URL.canParse(address));
  if (invalid.length > 0)
    return [
      'wrong',
      `In the metadata of ${issuer}, these are not valid addresses: ${names(invalid)}. No one can sign in.`,
    ];
  const plain = all.filter(([, address]) => !mayUse(issuer, address));
  // a client of an issuer with https refuses all other addresses
  if (plain.length > 0 && new URL(issuer).protocol === 'https:')
    return [
      'wrong',
      `Not encrypted with https: ${names(plain)}. Sign-ins are refused, because ${issuer} uses https.`,
    ];
  const types = metadata.response_types_supported;
  if (types?.includes('code') === false)
    return ['wrong', `${issuer} does not offer the authorization code flow. No one can sign in.`];
  if (plain.length > 0)
    return [
      'warning',
      `Not encrypted with https: ${names(plain)}. Anyone on the network can read and change sign-ins.`,
    ];
  const { scopes_supported: scopes, code_challenge_methods_supported: challenges } = metadata;
  if (scopes?.includes('email') === false)
    return [
      'warning',
      `${issuer} does not list the scope "email". Without an email address, users are not found at their first sign-in.`,
    ];
  if (challenges?.includes('S256') === false)
    return ['warning', `${issuer} does not list the PKCE method S256, which every sign-in uses.`];
  const end =
    metadata.end_session_endpoint === undefined
      ? ' It lists no end_session_endpoint: signing out here does not sign out there.'
      : '';
  return ['ok', `All endpoints use https or are on this machine.${end}`];
}

/** Whether an entry of the provider's keys can verify a signature. */
function isSigningKey(key: unknown): boolean {
  if (typeof key !== 'object' || key === null) return false;
  const { kty, use } = key as { readonly kty?: unknown; readonly use?: unknown };
  return typeof kty === 'string' && (use === undefined || use === 'sig');
}

/** The keys with which the provider signs. */
async function judgeKeys(ask: client.CustomFetch, address: string | undefined): Promise<Judgment> {
  if (address === undefined) return ['unchecked', 'There is no address of the keys to read.'];
  const response = await ask(address, getOptions('application/json'));
  const body: unknown = response.status === 200 ? await response.json().catch(() => null) : null;
  const keys =
    typeof body === 'object' && body !== null && 'keys' in body && Array.isArray(body.keys)
      ? (body.keys as readonly unknown[])
      : null;
  const usable = (keys ?? []).filter(isSigningKey).length;
  if (usable > 0)
    return ['ok', usable === 1 ? '1 signing key was read.' : `${usable} signing keys were read.`];
  return [
    'wrong',
    `${address} returned no signing keys (status ${response.status}). No sign-in can be verified.`,
  ];
}

/** Whether the provider accepts our client ID and secret. */
async function judgeClient(
  settings: OidcSettings,
  known: client.Configuration,
  redirectUri: string,
): Promise<Judgment> {
  const { issuer, clientId, clientSecret } = settings;
  const verdict = await askForToken(known, redirectUri);
  if (verdict.isRefused) {
    const shown = clientSecret === null ? 'without a secret' : 'with this secret';
    return [
      'wrong',
      `${issuer} refuses the client ${clientId} ${shown} (${verdict.error}). Check RECODERY_OIDC_CLIENT_ID and RECODERY_OIDC_CLIENT_SECRET.`,
    ];
  }
  if (clientSecret === null)
    return verdict.error === 'invalid_grant'
      ? ['ok', `${issuer} responds. No client secret is set, so none was checked.`]
      : [
          'warning',
          `${issuer} responds with ${verdict.error}, which does not show whether it accepts the client ${clientId}. Sign in once to check it.`,
        ];
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

/**
 * Starts a sign-in without a browser, and without a question (`prompt=none`): a provider returns its refusal to the
 * redirect address only if the address is registered. Anything else can have other causes.
 */
async function judgeRedirect(
  ask: client.CustomFetch,
  known: client.Configuration,
  redirectUri: string,
): Promise<Judgment> {
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(known, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: client.randomState(),
    nonce: client.randomNonce(),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    prompt: 'none',
  });
  const response = await ask(url.href, getOptions('text/html')).catch(() => null);
  const location = response?.headers.get('location') ?? '';
  if (location === redirectUri || location.startsWith(`${redirectUri}?`))
    return ['ok', `The redirect address ${redirectUri} is registered.`];
  return [
    'unchecked',
    `Whether the redirect address ${redirectUri} is registered cannot be seen without a sign-in. Sign in once in a private window.`,
  ];
}

function judgeClock(issuer: string, skewMs: number | null): Judgment {
  if (skewMs === null) return ['unchecked', `The responses of ${issuer} do not show its time.`];
  if (Math.abs(skewMs) <= mostSkewMs)
    return ['ok', `This machine's clock matches that of ${issuer}.`];
  const relation = skewMs > 0 ? 'ahead of' : 'behind';
  return [
    'warning',
    `This machine's clock is ${Math.round(Math.abs(skewMs) / 1000)} seconds ${relation} that of ${issuer}, so sign-ins can fail. Set up time synchronization.`,
  ];
}

const getOptions = (accept: string): client.CustomFetchOptions => ({
  method: 'GET',
  headers: { accept },
  body: null,
  redirect: 'manual',
});

/** The bytes of a response. @throws if there are too many */
async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > limits.bytes) throw new Error(`the response has more than ${limits.bytes} bytes`);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** The issuer that a metadata document names, or null. */
function issuerIn(body: Uint8Array): string | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const isNamed = typeof read === 'object' && read !== null && 'issuer' in read;
    return isNamed && typeof read.issuer === 'string' ? read.issuer.slice(0, 300) : null;
  } catch {
    return null;
  }
}

/**
 * The settings with a fetch that limits time and size, follows no redirect, and compares the clocks; then what it has
 * seen: the milliseconds by which ours is ahead, and the issuer that the metadata names.
 */
function boundRequests(settings: OidcSettings) {
  const send: client.CustomFetch =
    settings.fetch ?? ((url, options) => fetch(url, options as RequestInit));
  const until = AbortSignal.timeout(limits.ms);
  let skewMs: number | null = null;
  let issuer: string | null = null;
  const ask: client.CustomFetch = async (url, options) => {
    const begun = Date.now();
    const signals = [until, ...(options.signal == null ? [] : [options.signal])];
    const signal = AbortSignal.any(signals);
    const response = await send(url, { ...options, redirect: 'manual', signal });
    const date = response.headers.get('date');
    // a cache repeats the time at which it stored the response; a date has no fractions of seconds
    const theirs = Date.parse(date ?? '');
    const isIssuer = new URL(url).origin === new URL(settings.issuer).origin;
    if (isIssuer && !Number.isNaN(theirs) && !response.headers.has('age'))
      skewMs = (begun + Date.now()) / 2 - (theirs + 500);
    const body = await readBody(response);
    if (new URL(url).pathname.includes('/.well-known/')) issuer ??= issuerIn(body);
    const { status, headers } = response;
    return new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
  };
  return {
    ask,
    settings: { ...settings, fetch: ask },
    readSkew: () => skewMs,
    readIssuer: () => issuer,
  };
}
