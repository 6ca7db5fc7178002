/** The provider's pages for second factors and passkeys, below the path of an interaction. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { sendPage } from '../../http/pages/plain-page.ts';
import type { Localization } from '../../texts/texts.ts';
import { type Account, findAccount } from '../../organisations/accounts.ts';
import type { RecordFailure } from '../failures.ts';
import { findFactorKinds } from '../factors/factors.ts';
import { acceptPasskey, canHavePasskeys, requestPasskey } from '../factors/passkeys.ts';
import { readCredential } from '../factors/read-credential.ts';
import { checkFactor, type FactorCheckDeps } from './check-factor.ts';
import { factorPage } from './factor-pages.ts';
import { formText } from './invitation-routes.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import type { AttemptRecorder } from './record-attempts.ts';

export interface FactorRouteDeps extends FactorCheckDeps {
  readonly provider: Provider;
  /** The origin that browsers use. */
  readonly publicUrl: string;
  readonly recordFailure: RecordFailure;
}

/** What the pages share with the page for the password. */
export interface SignInSteps {
  /** The path of the interactions, with `:uid`. */
  readonly path: string;
  readonly known: KnownBrowsers;
  readonly attempts: AttemptRecorder;
  languageOf(request: FastifyRequest, uiLocales: unknown): Localization;
  /** Whether this browser can sign in to the account at all. */
  mayEnter(request: FastifyRequest, account: Account): boolean;
  /** The sign-in page with a message. */
  refusePasskey(request: FastifyRequest, reply: FastifyReply, language: Localization): FastifyReply;
  /** Completes the sign-in. */
  complete(request: FastifyRequest, reply: FastifyReply, account: Account): Promise<FastifyReply>;
}

/** Minutes between the right password and the second factor. */
const pendingMinutes = 10;
/** Challenges that an address can ask for in ten minutes. */
const challengeLimit = { max: 300, timeWindow: 600_000 };

/** Remembers in the interaction that the password was right; nothing else accepts that as a sign-in. */
export async function rememberPassword(
  { provider, clock }: Pick<FactorRouteDeps, 'provider' | 'clock'>,
  request: FastifyRequest,
  reply: FastifyReply,
  accountGuid: string,
): Promise<void> {
  const first = { accountId: accountGuid, on: clock.now().getTime() };
  const once = { mergeWithLastSubmission: false };
  await provider.interactionResult(request.raw, reply.raw, { passwordOf: first }, once);
}

/** The account whose password was right in this interaction, or null. */
async function findFirst({ db, clock }: FactorRouteDeps, result: object | undefined) {
  const { passwordOf } = (result ?? {}) as {
    readonly passwordOf?: { readonly accountId: string; readonly on: number };
  };
  if (passwordOf === undefined) return null;
  const age = clock.now().getTime() - passwordOf.on;
  return age > pendingMinutes * 60_000 ? null : findAccount(db, passwordOf.accountId);
}

/** Adds the pages; forms must be parsed in this scope. */
export function addFactorRoutes(
  pages: FastifyInstance,
  deps: FactorRouteDeps,
  steps: SignInSteps,
): void {
  const visitOf = async (request: FastifyRequest, reply: FastifyReply) => {
    const details = await deps.provider.interactionDetails(request.raw, reply.raw);
    const { uid, params, result } = details;
    return {
      uid,
      address: steps.path.replace(':uid', uid),
      language: steps.languageOf(request, params['ui_locales']),
      first: await findFirst(deps, result),
    };
  };
  const shownTo = async (account: Account, path: string) => ({
    ...(await findFactorKinds(deps.db, account.guid)),
    ...{ path, canUsePasskey: canHavePasskeys(deps.publicUrl) },
  });

  pages.get(`${steps.path}/factor`, async (request, reply) => {
    const { address, language, first } = await visitOf(request, reply);
    if (first === null) return reply.redirect(address, 303);
    const shown = await shownTo(first, address);
    return sendPage(reply, 200, factorPage(language, { ...shown, outcome: 'none' }));
  });

  pages.post(`${steps.path}/factor`, async (request, reply) => {
    const { address, language, first } = await visitOf(request, reply);
    if (first === null) return reply.redirect(address, 303);
    const checked = await checkFactor(deps, first, {
      code: formText(request.body, 'code'),
      browser: await steps.known.find(request, first.guid),
      address: request.ip,
    });
    if (checked.outcome === 'right') return steps.complete(request, reply, first);
    const { guid: account } = first;
    request.log.info({ address: request.ip, outcome: checked.outcome, account }, 'sign-in failed');
    const reason = checked.outcome === 'wait' ? 'too-many' : 'wrong-code';
    deps.recordFailure({ reason, accountGuid: account, address: request.ip });
    const shown = await shownTo(first, address);
    if (checked.outcome === 'wait') {
      reply.header('retry-after', String(checked.seconds));
      const outcome = { waitMinutes: Math.ceil(checked.seconds / 60) };
      return sendPage(reply, 429, factorPage(language, { ...shown, outcome }));
    }
    await steps.attempts.record(account, request.ip);
    return sendPage(reply, 200, factorPage(language, { ...shown, outcome: 'wrong' }));
  });

  addPasskeyRoutes(pages, deps, steps);
}

function addPasskeyRoutes(pages: FastifyInstance, deps: FactorRouteDeps, steps: SignInSteps): void {
  if (!canHavePasskeys(deps.publicUrl)) return;
  const ownerOf = (uid: string): string => `sign-in ${uid}`;
  const limited = { config: { rateLimit: challengeLimit } };
  pages.post(`${steps.path}/passkey-options`, limited, async (request, reply) => {
    const { uid } = await deps.provider.interactionDetails(request.raw, reply.raw);
    return reply.send(await requestPasskey(deps, ownerOf(uid)));
  });

  pages.post(`${steps.path}/passkey`, limited, async (request, reply) => {
    const details = await deps.provider.interactionDetails(request.raw, reply.raw);
    const response = readCredential(formText(request.body, 'credential'));
    const guid =
      response === null ? null : await acceptPasskey(deps, ownerOf(details.uid), response);
    const account = guid === null ? null : await findAccount(deps.db, guid);
    if (account !== null && steps.mayEnter(request, account))
      return steps.complete(request, reply, account);
    request.log.info({ address: request.ip, outcome: 'passkey refused' }, 'sign-in failed');
    await steps.attempts.record(account?.guid ?? null, request.ip);
    const failed = { reason: 'passkey-refused', address: request.ip } as const;
    deps.recordFailure({ ...failed, accountGuid: account?.guid ?? null });
    const language = steps.languageOf(request, details.params['ui_locales']);
    return steps.refusePasskey(request, reply, language);
  });
}
