/** The page on which users ask for an email that lets them set a new password. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../../config/clock.ts';
import { sendPage } from '../../../http/pages/plain-page.ts';
import { negotiateLanguage } from '../../../texts/texts.ts';
import { formText } from '../invitation-routes.ts';
import { forgottenPage, forgottenDonePage } from '../provider-pages.ts';
import { providerPath } from '../provider.ts';

/** The path of the page. */
export const forgottenPath = `${providerPath}/forgotten`;
/** Milliseconds that a link for a new password is valid. */
const linkMs = 3_600_000;
/** Requests that an address can make in ten minutes. */
const limit = { max: 20, timeWindow: 600_000 };

/** A request for a new password, for whatever address was typed. */
export interface PasswordRequest {
  readonly email: string;
  readonly culture: string;
  readonly expiresOn: Date;
}

export interface ForgottenDeps {
  readonly clock: Clock;
  /** Queues the email, even if no account has the address; null: the portal has no mail server. */
  readonly mailPassword: ((request: PasswordRequest) => Promise<void>) | null;
}

/** Whether an address can be stored. */
const isStorable = (email: string): boolean =>
  email.length <= 254 && email.includes('@') && !email.includes('\0') && email.isWellFormed();

/** Adds the page; forms must be parsed in this scope. Without a mail server there is none. */
export function addForgottenPassword(
  pages: FastifyInstance,
  { clock, mailPassword }: ForgottenDeps,
): void {
  if (mailPassword === null) return;
  pages.get(forgottenPath, async (request, reply) => {
    const language = negotiateLanguage(request.headers['accept-language']);
    return sendPage(reply, 200, forgottenPage(language, forgottenPath));
  });
  pages.post(forgottenPath, { config: { rateLimit: limit } }, async (request, reply) => {
    const language = negotiateLanguage(request.headers['accept-language']);
    const email = formText(request.body, 'email').trim();
    // nothing here depends on whether there is an account: only the worker looks for it
    const expiresOn = new Date(clock.now().getTime() + linkMs);
    if (isStorable(email)) await mailPassword({ email, culture: language.locale, expiresOn });
    request.log.info({ address: request.ip }, 'link for a new password requested');
    return sendPage(reply, 200, forgottenDonePage(language));
  });
}
