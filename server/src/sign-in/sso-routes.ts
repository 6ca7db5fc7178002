/** The browser's redirects to the provider and back: `/sso/start` and `/sso/callback`. */
import { randomBytes } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { SignInFailureReason } from '@recodery/contract/admin/sign-in-resources';
import type { SignInError } from '@recodery/contract/features/session';
import {
  signedInPath,
  signInCallbackPath,
  signInStartPath,
} from '@recodery/contract/sign-in-paths';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ResponseBodyError } from 'openid-client';
import { sendPage } from '../http/pages/plain-page.ts';
import { publicAddressFor } from '../http/public-address.ts';
import { listOrganisationsOf } from '../organisations/organisations.ts';
import type { Clock } from '../config/clock.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { negotiateLanguage } from '../texts/texts.ts';
import { findAccountOfIdentity, type UnknownIdentity } from '../organisations/accounts.ts';
import {
  browserCookie,
  cookieName,
  cookieOptions,
  deriveFromState,
  readMemory,
  safeReturnPath,
  signInCookiePrefix,
  signInSeconds,
  writeMemory,
} from './cookies.ts';
import { explainError } from './explain-error.ts';
import type { RecordFailure, SignInFailed } from './failures.ts';
import type { OidcClient, SignInProof } from './oidc.ts';
import { busyPage } from './provider/provider-pages.ts';
import { isFactorMissing } from './factors/factors.ts';
import { createSsoToken } from './sso-tokens.ts';

/** The dependencies of the redirects to the provider and back. */
export interface SsoRouteDeps {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'getCurrentKey'>;
  readonly oidc: OidcClient;
  readonly clock: Clock;
  /** The origin that browsers use. */
  readonly publicUrl: string;
  /** Whether operators need a second factor. */
  readonly needsOperatorFactor: boolean;
  readonly recordFailure: RecordFailure;
}

/** A sign-in that ends at `/loggedin?error=…`, and what operators see of it. */
class SignInFailure extends Error {
  readonly code: SignInError;
  readonly shown: Pick<SignInFailed, 'accountGuid' | 'email' | 'detail'>;
  constructor(code: SignInError, shown: SignInFailure['shown'] = {}, options: ErrorOptions = {}) {
    super(code, options);
    this.name = 'SignInFailure';
    this.code = code;
    this.shown = shown;
  }
}

const reasons = {
  SIGN_IN_REFUSED: 'refused',
  SIGN_IN_EXPIRED: 'expired',
  SIGN_IN_ACCOUNT_UNKNOWN: 'no-account',
  SIGN_IN_EMAIL_MISSING: 'no-email',
  SIGN_IN_EMAIL_UNVERIFIED: 'unverified-email',
  SIGN_IN_NO_ORGANISATION: 'no-organisation',
  SIGN_IN_UNAVAILABLE: 'failed',
} as const satisfies Record<SignInError, SignInFailureReason>;

const unknownIdentities = {
  'no-email': 'SIGN_IN_EMAIL_MISSING',
  'unverified-email': 'SIGN_IN_EMAIL_UNVERIFIED',
  'unknown-email': 'SIGN_IN_ACCOUNT_UNKNOWN',
} as const satisfies Record<UnknownIdentity, SignInError>;

/** The errors of OAuth 2.0 (RFC 6749, section 4.1.2.1) and OpenID Connect (Core, section 3.1.2.6). */
const knownErrors: ReadonlySet<string> = new Set([
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
  'invalid_request_uri',
  'invalid_request_object',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
]);

/** Asks the provider. @throws SignInFailure with its answer; a code that it does not know is expired or invented. */
async function askProvider<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SignInFailure) throw error;
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
      throw new SignInFailure('SIGN_IN_EXPIRED');
    const detail = explainError(error);
    throw new SignInFailure('SIGN_IN_UNAVAILABLE', { detail }, { cause: error });
  }
}

/** Characters of a code: providers issue up to a few thousand. Others were invented, and are not sent to them. */
const longestCode = 8192;

/** Where users add second factors. */
const accountPath = '/account';

/** Concurrent sign-ins of one browser; beyond this, the cookie of the oldest is deleted. */
const mostAtOnce = 5;
/** Cookies deleted by one response: more would make its headers larger than proxies allow. */
const mostForgotten = 20;

/** Adds both routes. Their errors are shown by the page, with a way to try again. */
export async function addSsoRoutes(app: FastifyInstance, deps: SsoRouteDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler(async (error, request, reply) => {
      const isExpected = error instanceof SignInFailure;
      if (error instanceof Error && 'statusCode' in error && error.statusCode === 429) {
        const language = negotiateLanguage(request.headers['accept-language']);
        return sendPage(reply, 429, busyPage(language));
      }
      if (isExpected && error.cause === undefined)
        request.log.info({ address: request.ip, outcome: error.code }, 'sign-in failed');
      else {
        const cause = isExpected ? error.cause : error;
        request.log.error({ address: request.ip, error: cause }, 'sign-in failed');
      }
      const code: SignInError = isExpected ? error.code : 'SIGN_IN_UNAVAILABLE';
      // our own errors are in the log only: they are no answer of the provider
      if (isExpected)
        deps.recordFailure({ reason: reasons[code], address: request.ip, ...error.shown });
      return reply.redirect(`${signedInPath}?error=${code}`, 303);
    });
    // Each start creates a record at the provider: the limit keeps clients from filling it up.
    // A callback can call the provider too, and be recorded.
    const rateLimit = { max: 600, timeWindow: 60_000 };
    scope.get(signInStartPath, { config: { rateLimit } }, async (request, reply) =>
      start(request, reply, deps),
    );
    scope.get(signInCallbackPath, { config: { rateLimit } }, async (request, reply) =>
      finish(request, reply, deps),
    );
  });
}

function queryText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}

async function proofOf(state: string, deps: SsoRouteDeps): Promise<SignInProof> {
  const { key } = await deps.secrets.getCurrentKey('cookie');
  return {
    state,
    nonce: deriveFromState('nonce', state, key),
    verifier: deriveFromState('verifier', state, key),
  };
}

function forgetOldSignIns(request: FastifyRequest, reply: FastifyReply, deps: SsoRouteDeps): void {
  const prefix = cookieName(signInCookiePrefix, deps.publicUrl);
  const begun = Object.keys(request.cookies).filter((name) => name.startsWith(prefix));
  const tooMany = Math.max(0, begun.length - mostAtOnce + 1);
  for (const name of begun.slice(0, Math.min(tooMany, mostForgotten)))
    reply.clearCookie(name, cookieOptions(deps.publicUrl));
}

async function start(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: SsoRouteDeps,
): Promise<FastifyReply> {
  const publicAddress = publicAddressFor(request, deps.publicUrl);
  if (publicAddress !== null) return reply.redirect(publicAddress, 302);

  const proof = await proofOf(randomBytes(32).toString('base64url'), deps);
  const language = queryText(request, 'language') ?? null;
  const url = await askProvider(() =>
    deps.oidc.authorizationUrl(
      proof,
      language !== null && /^[\w-]{2,16}$/.test(language) ? language : null,
      queryText(request, 'again') !== undefined,
    ),
  );
  const memory = {
    state: proof.state,
    returnTo: safeReturnPath(queryText(request, 'returnTo')),
    begunOn: deps.clock.now().getTime(),
  };
  const { key } = await deps.secrets.getCurrentKey('cookie');
  const options = cookieOptions(deps.publicUrl);
  forgetOldSignIns(request, reply, deps);
  // The browser keeps its id: a sign-in in a second tab must not end the one in the first.
  const browserName = cookieName(browserCookie, deps.publicUrl);
  const known = request.cookies[browserName] ?? '';
  const browser = /^[\w-]{43}$/.test(known) ? known : randomBytes(32).toString('base64url');
  return reply
    .setCookie(browserName, browser, { ...options, maxAge: 86_400 })
    .setCookie(cookieNameOf(proof.state, deps), writeMemory(memory, key), {
      ...options,
      maxAge: signInSeconds,
    })
    .redirect(url, 302);
}

function cookieNameOf(state: string, { publicUrl }: SsoRouteDeps): string {
  return cookieName(signInCookiePrefix + state.slice(0, 12), publicUrl);
}

async function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: SsoRouteDeps,
): Promise<FastifyReply> {
  const state = queryText(request, 'state') ?? '';
  const { key } = await deps.secrets.getCurrentKey('cookie');
  const cookie = request.cookies[cookieNameOf(state, deps)];
  const browser = request.cookies[cookieName(browserCookie, deps.publicUrl)];
  const memory = cookie === undefined ? null : readMemory(cookie, key, deps.clock.now().getTime());
  if (memory === null || memory.state !== state || browser === undefined)
    throw new SignInFailure('SIGN_IN_EXPIRED');
  reply.clearCookie(cookieNameOf(state, deps), cookieOptions(deps.publicUrl));
  const refusal = queryText(request, 'error');
  if (refusal !== undefined) {
    // anyone can write the address, so only a code is kept, and only one that a provider can send
    throw new SignInFailure('SIGN_IN_REFUSED', knownErrors.has(refusal) ? { detail: refusal } : {});
  }

  const code = queryText(request, 'code');
  if (code === '' || (code !== undefined && code.length > longestCode))
    throw new SignInFailure('SIGN_IN_EXPIRED');
  const returnUrl = new URL(request.url, deps.publicUrl);
  const proof = await proofOf(state, deps);
  const signedIn = await askProvider(() => deps.oidc.finish(returnUrl, proof));
  const account = await findAccountOfIdentity(deps.db, signedIn);
  if (typeof account === 'string')
    throw new SignInFailure(unknownIdentities[account], { email: signedIn.email });
  // Users without an organisation cannot use this portal either.
  if ((await listOrganisationsOf(deps.db, account.guid)).length === 0)
    throw new SignInFailure('SIGN_IN_NO_ORGANISATION', { accountGuid: account.guid });
  const token = await createSsoToken(deps.db, {
    accountGuid: account.guid,
    browser,
    idToken: signedIn.idToken,
    authenticatedOn: signedIn.authenticatedOn,
    isWithFactor: signedIn.isWithFactor,
  });
  request.log.info({ address: request.ip, account: account.guid }, 'identity accepted');
  const mustAddFactor = deps.needsOperatorFactor && (await isFactorMissing(deps.db, account.guid));
  const from = mustAddFactor ? accountPath : memory.returnTo;
  const query = new URLSearchParams({ __dbSSO_token__: token, from });
  return reply.redirect(`${signedInPath}?${query.toString()}`, 303);
}
