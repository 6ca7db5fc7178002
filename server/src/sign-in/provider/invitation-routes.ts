/** The page on which an invited user sets a password for the embedded provider. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Semaphore } from '../../http/semaphore.ts';
import { chooseLanguage, type Language } from '../../texts/texts.ts';
import { passwordGroup } from './check-password.ts';
import { acceptInvitation, findInvited, type InvitationDeps } from './invitations.ts';
import { busyPage, linkDeadPage, passwordDonePage, passwordPage } from './provider-pages.ts';
import { longestPassword, shortestPassword } from './passwords.ts';
import { providerPath } from './provider.ts';

/** What the page needs; `hashing` is the semaphore for requests that need a password hashed. */
export interface PasswordRouteDeps extends InvitationDeps {
  readonly hashing: Semaphore;
}

interface Visit {
  readonly token: string;
  readonly language: Language;
}

function visitOf(request: FastifyRequest): Visit {
  const { token } = request.params as { readonly token: string };
  return { token, language: chooseLanguage(request.headers['accept-language']) };
}

function send(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(text);
}

function typedPassword(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('password' in body)) return '';
  return typeof body.password === 'string' ? body.password : '';
}

/** Adds the page; forms must be parsed in this scope. */
export function addPasswordRoutes(pages: FastifyInstance, deps: PasswordRouteDeps): void {
  const path = `${providerPath}/password/:token`;

  pages.get(path, async (request, reply) => {
    const { token, language } = visitOf(request);
    const account = await findInvited(deps, token);
    if (account === null) return send(reply, 404, linkDeadPage(language));
    const shown = { action: request.url, email: account.email, outcome: 'none' } as const;
    return send(reply, 200, passwordPage(language, shown));
  });

  pages.post(path, async (request, reply) => {
    const { token, language } = visitOf(request);
    const account = await findInvited(deps, token);
    if (account === null) return send(reply, 404, linkDeadPage(language));
    const password = typedPassword(request.body);
    const outcome =
      [...password].length < shortestPassword
        ? 'short'
        : password.length > longestPassword
          ? 'long'
          : 'none';
    if (outcome !== 'none') {
      const shown = { action: request.url, email: account.email, outcome } as const;
      return send(reply, 400, passwordPage(language, shown));
    }
    const leave = await deps.hashing.enter(passwordGroup);
    if (leave === null) return send(reply, 429, busyPage(language));
    const isSet = await acceptInvitation(deps.db, account, password).finally(leave);
    // The link was used by another request while this password waited.
    if (!isSet) return send(reply, 404, linkDeadPage(language));
    request.log.info({ account: account.guid }, 'password set by invitation');
    return send(reply, 200, passwordDonePage(language));
  });
}
