/** Mounts the embedded provider under `/idp`, with its sign-in pages. */
import formbody from '@fastify/formbody';
import type { SignInFailureReason } from '@recodery/contract/admin/sign-in-resources';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import type { Log } from '../../config/log.ts';
import { sendPage } from '../../http/pages/plain-page.ts';
import { type Localization, negotiateLanguage } from '../../texts/texts.ts';
import type { Account } from '../../organisations/accounts.ts';
import type { RecordFailure } from '../failures.ts';
import { severalFactors } from '../oidc.ts';
import { hasFactor } from '../factors/factors.ts';
import { canHavePasskeys } from '../factors/passkeys.ts';
import { checkPassword, type PasswordCheck } from './passwords/check-password.ts';
import { demoHintAccount, demoPassword } from './demo-accounts.ts';
import type { DemoPass } from './demo-pass.ts';
import {
  addForgottenPassword,
  type ForgottenDeps,
  forgottenPath,
} from './passwords/forgotten-password.ts';
import { addFactorRoutes, type FactorRouteDeps, rememberPassword } from './factor-routes.ts';
import { createKnownBrowsers, type KnownBrowsers } from './known-browsers.ts';
import { isNear } from './local-browser.ts';
import { busyPage, errorPage, expiredPage, type SignInPage, signInPage } from './provider-pages.ts';
import { addPasswordRoutes, formText, type PasswordRouteDeps } from './invitation-routes.ts';
import { providerPath } from './provider.ts';
import {
  type AttemptPace,
  type AttemptRecorder,
  createAttemptRecorder,
} from './record-attempts.ts';

/** The dependencies of the provider's pages. */
export interface ProviderRouteDeps extends PasswordRouteDeps, ForgottenDeps, FactorRouteDeps {
  readonly secrets: PasswordRouteDeps['secrets'] & FactorRouteDeps['secrets'];
  /** Which browsers can sign in with demo accounts; null if there are none. */
  readonly demoPass: DemoPass | null;
  readonly log: Log;
  readonly recordFailure: RecordFailure;
  /** How many wrong passwords get an audit entry of their own; absent: the default. */
  readonly attemptPace?: AttemptPace;
}

/** Calls that a network can make at the provider in ten minutes: each creates a record, and a sign-in takes two. */
const recordLimit = { max: 1200, timeWindow: 600_000 };
// Calls that only our client makes, and that create no record.
const recordless = /^\/idp\/(token|jwks|\.well-known\/[\w-]+)\/?$/;
/** The value of `amr` (RFC 8176) after the password alone. */
const passwordOnly = ['pwd'];
/** Maximum characters of a URL and bytes of a form, far above what our client sends: both are stored. */
const most = { address: 3000, form: 4096 };
/** Seconds after which a refused client can try again. */
const busySeconds = 10;

/** The language of a page: the one that the product requested from the provider, else the browser's. */
function languageOf(request: FastifyRequest, uiLocales: unknown): Localization {
  const wanted = typeof uiLocales === 'string' ? uiLocales.split(' ') : [];
  return negotiateLanguage(request.headers['accept-language'], wanted);
}

/** Adds the provider and its pages to the server. */
export async function mountProvider(app: FastifyInstance, deps: ProviderRouteDeps): Promise<void> {
  await app.register(async (pages) => {
    await pages.register(formbody, { bodyLimit: 16 * 1024 });
    addInteraction(pages, deps);
    addPasswordRoutes(pages, deps);
    addForgottenPassword(pages, deps);
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The provider reads the body itself.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const callback = deps.provider.callback();
    scope.setErrorHandler((error, request, reply) => {
      if (!isOverLimit(error)) throw error;
      return sendPage(reply, 429, busyPage(languageOf(request, null)));
    });
    scope.addHook('onRequest', async (request, reply) => {
      if (isModest(request)) return;
      await sendPage(reply, 400, errorPage(languageOf(request, null), 'invalid_request'));
    });
    const rateLimit = {
      ...recordLimit,
      allowList: ({ url }: FastifyRequest) => recordless.test(url.split('?', 1).join('')),
    };
    scope.all(`${providerPath}/*`, { config: { rateLimit } }, async (request, reply) => {
      const { raw } = request;
      const { url } = raw;
      passToProvider(request, reply, deps.publicUrl);
      await callback(raw, reply.raw);
      // The log uses the requested URL.
      Object.assign(raw, { url });
    });
  });
}

/** Whether a request contains no more than a sign-in needs, and nothing that the database cannot store. */
function isModest({ url, headers }: FastifyRequest): boolean {
  return (
    url.length <= most.address &&
    !url.includes('%00') &&
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) <= most.form
  );
}

/** Whether a rate limit was reached; the response headers say when to retry. */
function isOverLimit(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === 429;
}

/** Passes a request to the provider unchanged, except for the host that browsers use and our headers. */
function passToProvider(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  const { raw } = request;
  const { host, protocol } = new URL(publicUrl);
  const url = raw.url ?? providerPath;
  // Overrides the caller's headers: the provider's links use the configured URL.
  Object.assign(raw.headers, {
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.replace(':', ''),
  });
  Object.assign(raw, { originalUrl: url, url: url.slice(providerPath.length) || '/' });
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
}

function addInteraction(pages: FastifyInstance, deps: ProviderRouteDeps): void {
  const path = `${providerPath}/interaction/:uid`;
  const known = createKnownBrowsers(deps);
  const complete = createComplete(deps, known);
  const attempts = createAttemptRecorder(deps, deps.attemptPace);
  pages.addHook('onClose', attempts.stop);
  // An interaction has expired or is complete: the page explains this, and offers to start again.
  pages.setErrorHandler((error, request, reply) => {
    if (isOverLimit(error)) return sendPage(reply, 429, busyPage(languageOf(request, null)));
    if (!(error instanceof errors.SessionNotFound)) throw error;
    return sendPage(reply, 400, expiredPage(languageOf(request, null)));
  });

  pages.get(path, async (request, reply) => {
    const { uid, params } = await deps.provider.interactionDetails(request.raw, reply.raw);
    const passAddress = passAddressFor(request, uid, deps);
    if (passAddress !== null) return reply.redirect(passAddress, 303);
    const shown = pageFor(request, deps, { email: '', outcome: 'none' });
    return sendPage(reply, 200, signInPage(languageOf(request, params['ui_locales']), shown));
  });

  pages.post(path, async (request, reply) => {
    // The interaction's cookie is SameSite=Lax, so another site cannot submit this form with it.
    const { params } = await deps.provider.interactionDetails(request.raw, reply.raw);
    const language = languageOf(request, params['ui_locales']);
    const email = formText(request.body, 'email');
    const answer = (status: number, outcome: SignInPage['outcome']): FastifyReply =>
      sendPage(reply, status, signInPage(language, pageFor(request, deps, { email, outcome })));

    const typed = {
      email,
      password: formText(request.body, 'password'),
      address: request.ip,
      findBrowser: (accountGuid: string) => known.find(request, accountGuid),
    };
    // A publicly known password is accepted only from browsers on this machine.
    const checked = await checkPassword(
      deps,
      typed,
      ({ isDemo }) => !isDemo || mayUseDemo(request, deps),
    );
    if (checked.outcome !== 'right') {
      await note(deps, attempts, request, checked);
      return refuse(checked, reply, answer);
    }
    const { account } = checked;
    request.log.info({ address: request.ip, account: account.guid }, 'password accepted');
    if (!(await hasFactor(deps.db, account.guid)))
      return complete(request, reply, account, passwordOnly);
    await rememberPassword(deps, request, reply, account.guid);
    return reply.redirect(`${pathOf(request)}/factor`, 303);
  });

  addFactorRoutes(pages, deps, {
    ...{ path, known, attempts, languageOf, complete },
    mayEnter: (request, { isDemo }) => !isDemo || mayUseDemo(request, deps),
    refusePasskey: (request, reply, language) => {
      const shown = pageFor(request, deps, { email: '', outcome: 'passkey' });
      return sendPage(reply, 200, signInPage(language, shown));
    },
  });
}

/** Creates the function that completes a sign-in: the browser is known from now on, and goes back to the client. */
function createComplete({ provider }: ProviderRouteDeps, known: KnownBrowsers) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    account: Account,
    methods: readonly string[] = [severalFactors],
  ): Promise<FastifyReply> => {
    await known.remember(request, reply, account.guid);
    const next = await provider.interactionResult(
      request.raw,
      reply.raw,
      { login: { accountId: account.guid, amr: [...methods] } },
      { mergeWithLastSubmission: false },
    );
    return reply.redirect(next, 303);
  };
}

/** The path of the interaction that a request belongs to. */
function pathOf({ params }: FastifyRequest): string {
  return `${providerPath}/interaction/${(params as { readonly uid: string }).uid}`;
}

/** Whether a browser can sign in with demo accounts. Its requests must not name a different machine either. */
function mayUseDemo(request: FastifyRequest, { demoPass }: ProviderRouteDeps): boolean {
  return demoPass !== null && isNear(request) && demoPass.isHeldBy(request);
}

/** Where a browser that may be on this machine gets the pass for demo accounts; null if it does not need one. */
function passAddressFor(
  request: FastifyRequest,
  uid: string,
  { demoPass }: ProviderRouteDeps,
): string | null {
  if (demoPass === null || !isNear(request) || demoPass.isHeldBy(request)) return null;
  return demoPass.addressFor(uid);
}

function pageFor(
  request: FastifyRequest,
  deps: ProviderRouteDeps,
  typed: Pick<SignInPage, 'email' | 'outcome'>,
): SignInPage {
  return {
    ...typed,
    action: pathOf(request),
    canUsePasskey: canHavePasskeys(deps.publicUrl),
    forgotten: deps.mailPassword === null ? null : forgottenPath,
    demo: mayUseDemo(request, deps) ? { email: demoHintAccount, password: demoPassword } : null,
  };
}

/** Why a sign-in failed, for operators; null: the portal was busy, or the right password may not be used here. */
function reasonOf(
  checked: Exclude<PasswordCheck, { outcome: 'right' }>,
): SignInFailureReason | null {
  if (checked.outcome === 'wait') return 'too-many';
  if (checked.outcome === 'busy' || checked.isRight === true) return null;
  return checked.account === null ? 'unknown-address' : 'wrong-password';
}

/** Records a failed sign-in in the log, in the audit trail and for operators. */
async function note(
  { recordFailure }: Pick<ProviderRouteDeps, 'recordFailure'>,
  attempts: AttemptRecorder,
  request: FastifyRequest,
  checked: Exclude<PasswordCheck, { outcome: 'right' }>,
): Promise<void> {
  const { outcome, account } = checked;
  const { ip: address } = request;
  const accountGuid = account?.guid ?? null;
  request.log.info(
    { address, outcome, ...(accountGuid === null ? {} : { account: accountGuid }) },
    'sign-in failed',
  );
  // only attempts that were counted, and so limited; also at unknown accounts, because the time would reveal them.
  // What was typed is not recorded: it can be a password.
  if (outcome === 'wrong') await attempts.record(accountGuid, address);
  const reason = reasonOf(checked);
  if (reason !== null) recordFailure({ reason, accountGuid, address });
}

/** Responds to a failed sign-in. */
function refuse(
  checked: Exclude<PasswordCheck, { outcome: 'right' }>,
  reply: FastifyReply,
  answer: (status: number, outcome: SignInPage['outcome']) => FastifyReply,
): FastifyReply {
  // Sent with status 200: the page itself shows the problem, and an error status would only clutter the browser's
  // console.
  if (checked.outcome === 'wrong') return answer(200, 'wrong');
  const seconds = checked.outcome === 'wait' ? checked.seconds : busySeconds;
  reply.header('retry-after', String(seconds));
  const minutes = Math.ceil(seconds / 60);
  return answer(429, checked.outcome === 'wait' ? { waitMinutes: minutes } : 'busy');
}
