/** The page on which an invited user sets a password for the embedded provider. */
import { recordAudit } from '../../audit/audit.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendPage } from '../../http/pages/plain-page.ts';
import { type Localization, negotiateLanguage } from '../../texts/texts.ts';
import {
  acceptInvitation,
  findInvited,
  type InvitationDeps,
  type PasswordLink,
} from './invitations.ts';
import { busyPage, invalidLinkPage, passwordDonePage, passwordPage } from './provider-pages.ts';
import type { PasswordQueue } from './passwords/password-queue.ts';
import { refusePassword } from './passwords/refuse-password.ts';
import { providerPath } from './provider.ts';

/** The dependencies of the page. */
export interface PasswordRouteDeps extends InvitationDeps {
  readonly hashing: PasswordQueue;
}

/** A text field of a form; empty when there is none. */
export function formText(body: unknown, field: string): string {
  if (typeof body !== 'object' || body === null) return '';
  const value = (body as Readonly<Record<string, unknown>>)[field];
  return typeof value === 'string' ? value : '';
}

interface Visit {
  readonly language: Localization;
  /** Null when the link is not valid. */
  readonly invited: PasswordLink | null;
}

async function visitOf(deps: PasswordRouteDeps, request: FastifyRequest): Promise<Visit> {
  const { token } = request.params as { readonly token: string };
  const language = negotiateLanguage(request.headers['accept-language']);
  return { language, invited: await findInvited(deps, token) };
}

/** Adds the page; forms must be parsed in this scope. */
export function addPasswordRoutes(pages: FastifyInstance, deps: PasswordRouteDeps): void {
  const path = `${providerPath}/password/:token`;

  pages.get(path, async (request, reply) => {
    const { language, invited } = await visitOf(deps, request);
    if (invited === null) return sendPage(reply, 404, invalidLinkPage(language));
    const shown = { action: request.url, email: invited.account.email, fault: null };
    return sendPage(reply, 200, passwordPage(language, shown));
  });

  pages.post(path, async (request, reply) => {
    const { language, invited } = await visitOf(deps, request);
    if (invited === null) return sendPage(reply, 404, invalidLinkPage(language));
    const { account, purpose } = invited;
    const password = formText(request.body, 'password');
    const fault = refusePassword(password, [account.email, account.displayName]);
    if (fault !== null) {
      const shown = { action: request.url, email: account.email, fault };
      return sendPage(reply, 400, passwordPage(language, shown));
    }
    const leave = await deps.hashing.enter({ accountGuid: account.guid });
    if (leave === null) return sendPage(reply, 429, busyPage(language));
    const isSet = await acceptInvitation(deps.db, invited, password).finally(leave);
    // The link was used by another request while this password waited.
    if (!isSet) return sendPage(reply, 404, invalidLinkPage(language));
    request.log.info({ account: account.guid, purpose }, 'password set by a link');
    await recordAudit(deps.db, {
      actor: { kind: 'user', guid: account.guid, name: account.email },
      action: purpose === 'password' ? 'forgotten password set' : 'password set',
      from: request.ip,
      outcome: 'done',
    });
    return sendPage(reply, 200, passwordDonePage(language));
  });
}
