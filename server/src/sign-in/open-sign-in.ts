/** Sets up the sign-in: the OpenID Connect client, and the embedded provider when no external one is configured. */
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { CustomFetchOptions } from 'openid-client';
import { deleteEndedWindows } from '../http/requests/request-counts.ts';
import type { Clock } from '../config/clock.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ForgottenDeps } from './provider/passwords/forgotten-password.ts';
import type { FactorNews } from './factors/factor-news.ts';
import { sweepFailures } from './factors/factor-failures.ts';
import { sweepChallenges } from './factors/passkey-challenges.ts';
import { sweepAttempts } from './provider/attempts.ts';
import { createFailureRecorder, type RecordFailure, sweepSignInFailures } from './failures.ts';
import { createOidcClient, type OidcClient, type OidcSettings } from './oidc.ts';
import { openDemoPass } from './provider/demo-pass.ts';
import type { PasswordQueue } from './provider/passwords/password-queue.ts';
import { createProvider } from './provider/provider.ts';
import { sweepProviderRecords } from './provider/records.ts';
import type { AttemptPace } from './provider/record-attempts.ts';
import { mountProvider } from './provider/routes.ts';
import { sweepSessions } from './sessions.ts';
import { addSsoRoutes } from './sso-routes.ts';
import { sweepSsoTokens } from './sso-tokens.ts';

/** The dependencies of the sign-in. */
export interface SignInDeps {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'getCurrentKey' | 'getKey' | 'listKeys'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Pick<Config, 'publicUrl' | 'host' | 'oidc' | 'isDemo' | 'needsOperatorFactor'>;
  /** The queue of all requests of this portal that need a password hashed. */
  readonly hashing: PasswordQueue;
  /** Queues the email with a link for a new password; null: the portal has no mail server. */
  readonly mailPassword: ForgottenDeps['mailPassword'];
  /** Tells users that a recovery code was used. */
  readonly sendNews: FactorNews;
  /** How many wrong passwords get an audit entry of their own. */
  readonly attemptPace?: AttemptPace;
}

/** Adds `/sso/*` and, when no external provider is configured, `/idp/*` to the server. */
export async function openSignIn(
  app: FastifyInstance,
  deps: SignInDeps,
): Promise<Pick<OidcClient, 'signOutUrl'>> {
  const { config } = deps;
  await app.register(cookie);
  const { record: recordFailure, flush } = createFailureRecorder(deps);
  app.addHook('onClose', flush);
  const settings = config.oidc ?? (await openEmbedded(app, { ...deps, recordFailure }));
  const oidc = createOidcClient(settings, config.publicUrl);
  const { publicUrl, needsOperatorFactor } = config;
  await addSsoRoutes(app, { ...deps, oidc, publicUrl, needsOperatorFactor, recordFailure });
  sweepOften(app, deps);
  return { signOutUrl: oidc.signOutUrl };
}

/** Milliseconds between two sweeps: records that anonymous clients can create do not outlive their expiry for long. */
const sweepEvery = 600_000;

/** Deletes expired records: one-time tokens, the provider's records, attempts, sessions and counted requests. */
export async function sweepSignIn(db: Db): Promise<void> {
  await sweepSsoTokens(db);
  await sweepProviderRecords(db);
  await sweepAttempts(db);
  await sweepFailures(db);
  await sweepSignInFailures(db);
  await sweepChallenges(db);
  await sweepSessions(db);
  await deleteEndedWindows(db);
}

/** Sweeps at the start and then at intervals; every portal does, because sweeping twice does no harm. */
function sweepOften(app: FastifyInstance, { db, log }: SignInDeps): void {
  const sweep = (): void => {
    sweepSignIn(db).catch((error: unknown) =>
      log.warn({ error }, 'could not delete expired sign-in data'),
    );
  };
  app.addHook('onListen', async () => sweep());
  const timer = setInterval(sweep, sweepEvery);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

async function openEmbedded(
  app: FastifyInstance,
  deps: SignInDeps & { readonly recordFailure: RecordFailure },
): Promise<OidcSettings> {
  const { publicUrl } = deps.config;
  const { provider, client } = await createProvider({ ...deps, publicUrl });
  await mountProvider(app, {
    ...deps,
    provider,
    publicUrl,
    demoPass: deps.config.isDemo ? await openDemoPass(app, deps) : null,
  });
  // The client calls the embedded provider directly, because its public name may not resolve to this server.
  return { ...client, fetch: (url, options) => askInside(app, url, options) };
}

async function askInside(
  app: FastifyInstance,
  url: string,
  options: CustomFetchOptions,
): Promise<Response> {
  const { host, pathname, search } = new URL(url);
  const payload = options.body instanceof URLSearchParams ? String(options.body) : undefined;
  const answer = await app.inject({
    method: options.method === 'POST' ? 'POST' : 'GET',
    url: pathname + search,
    headers: { ...options.headers, host },
    ...(payload === undefined ? {} : { payload }),
  });
  return new Response(answer.body, {
    status: answer.statusCode,
    headers: { 'content-type': String(answer.headers['content-type'] ?? '') },
  });
}
