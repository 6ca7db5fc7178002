/** Mounts the embedded provider under `/idp`, with the pages on which people sign in to it. */
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { isLoopback } from '../platform/config.ts';
import { chooseLanguage, type Language } from '../texts/texts.ts';
import { type Account, findAccountByEmail } from './accounts.ts';
import type { Attempts } from './attempts.ts';
import { demoHintAccount, demoPassword } from './demo-accounts.ts';
import type { InvitationDeps } from './invitations.ts';
import { expiredPage, type SignInPage, signInPage } from './pages.ts';
import { addPasswordRoutes } from './password-routes.ts';
import { isPassword, longestPassword } from './passwords.ts';
import { providerPath } from './provider.ts';

/** What the provider's pages need. */
export interface ProviderRouteDeps extends InvitationDeps {
  readonly provider: Provider;
  readonly attempts: Attempts;
  /** The origin that browsers use. */
  readonly publicUrl: string;
  /** Whether the demo accounts exist and may sign in from this machine. */
  readonly isDemo: boolean;
}

/**
 * Whether the browser runs on this machine, by the name it came under. A proxy that names another one before it is
 * believed in this: whoever lies here only locks himself out.
 */
function isNear({ headers }: FastifyRequest): boolean {
  const forwarded = /host="?([^";,]+)/i.exec(headers.forwarded ?? '')?.[1];
  const names = [headers.host ?? '', headers['x-forwarded-host'], forwarded].flat();
  return names.every((name) => name === undefined || isLoopback(name.trim().replace(/:\d+$/, '')));
}

/** The language of a page: what the product asked the provider for, else the browser's. */
function languageOf(request: FastifyRequest, uiLocales: unknown): Language {
  const wanted = typeof uiLocales === 'string' ? uiLocales.split(' ') : [];
  return chooseLanguage(request.headers['accept-language'], wanted);
}

function sendPage(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(text);
}

function textOf(body: unknown, field: string): string {
  if (typeof body !== 'object' || body === null) return '';
  const value = (body as Readonly<Record<string, unknown>>)[field];
  return typeof value === 'string' ? value : '';
}

/** Adds the provider and its pages to the server. */
export async function mountProvider(app: FastifyInstance, deps: ProviderRouteDeps): Promise<void> {
  await app.register(async (pages) => {
    await pages.register(formbody, { bodyLimit: 16 * 1024 });
    addInteraction(pages, deps);
    addPasswordRoutes(pages, deps);
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The provider reads the body itself.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const callback = deps.provider.callback();
    scope.all(`${providerPath}/*`, async (request, reply) => {
      const { raw } = request;
      const { url } = raw;
      handOver(request, reply, deps.publicUrl);
      await callback(raw, reply.raw);
      // The log names the address that was asked for.
      Object.assign(raw, { url });
    });
  });
}

/** Gives a request to the provider as it came, with the address that browsers use and our headers. */
function handOver(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  const { raw } = request;
  const { host, protocol } = new URL(publicUrl);
  const url = raw.url ?? providerPath;
  // Whatever a caller claims about his address, the provider's links are made from the configured one.
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
  // An interaction that has expired or is done: a page says so, and offers to begin again.
  pages.setErrorHandler((error, request, reply) => {
    if (!(error instanceof errors.SessionNotFound)) throw error;
    return sendPage(reply, 400, expiredPage(languageOf(request, null)));
  });

  pages.get(path, async (request, reply) => {
    const { params } = await deps.provider.interactionDetails(request.raw, reply.raw);
    const shown = pageFor(request, deps, { email: '', outcome: 'none' });
    return sendPage(reply, 200, signInPage(languageOf(request, params['ui_locales']), shown));
  });

  pages.post(path, async (request, reply) => {
    // The interaction's cookie is SameSite=Lax: another site cannot send this form with it.
    const { params } = await deps.provider.interactionDetails(request.raw, reply.raw);
    const language = languageOf(request, params['ui_locales']);
    const email = textOf(request.body, 'email');
    const answer = (status: number, outcome: SignInPage['outcome']): FastifyReply =>
      sendPage(reply, status, signInPage(language, pageFor(request, deps, { email, outcome })));

    const wait = deps.attempts.waitFor(email, request.ip);
    if (wait > 0) {
      reply.header('retry-after', String(Math.ceil(wait / 1000)));
      return answer(429, { waitMinutes: Math.ceil(wait / 60_000) });
    }
    const account = await signIn(request, deps, email);
    if (account === null) {
      deps.attempts.fail(email, request.ip);
      request.log.info({ address: request.ip }, 'a sign-in with a wrong account or password');
      // The page was found and says what is wrong; a status of failure would only fill the browser's console.
      return answer(200, 'wrong');
    }
    deps.attempts.succeed(email, request.ip);
    const next = await deps.provider.interactionResult(
      request.raw,
      reply.raw,
      { login: { accountId: account.guid } },
      { mergeWithLastSubmission: false },
    );
    return reply.redirect(next, 303);
  });
}

function pageFor(
  request: FastifyRequest,
  deps: ProviderRouteDeps,
  typed: Pick<SignInPage, 'email' | 'outcome'>,
): SignInPage {
  const [action = ''] = request.url.split('?', 1);
  const mayTryDemo = deps.isDemo && isNear(request);
  return {
    ...typed,
    action,
    demo: mayTryDemo ? { email: demoHintAccount, password: demoPassword } : null,
  };
}

/** The account that may sign in with what was typed, or null. Takes the same time either way. */
async function signIn(
  request: FastifyRequest,
  deps: ProviderRouteDeps,
  email: string,
): Promise<Account | null> {
  const password = textOf(request.body, 'password');
  if (password.length > longestPassword || email.length > 254 || email.includes('\0')) return null;
  const account = await findAccountByEmail(deps.db, email);
  const isRight = await isPassword(password, account?.passwordHash ?? null);
  if (account === null || !isRight) return null;
  // A password that everybody knows opens nothing to another machine.
  const mayBeDemo = deps.isDemo && isNear(request);
  return account.isDemo && !mayBeDemo ? null : account;
}

/** The language for a page that the provider itself shows. */
export function languageOfContext(context: KoaContextWithOIDC): Language {
  const header = context.get('accept-language');
  return chooseLanguage(header === '' ? undefined : header);
}
