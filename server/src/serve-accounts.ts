/** Connects sign-in, programs and the administration with the emails about accounts, and one queue for all passwords. */
import type { FastifyInstance } from 'fastify';
import { serveAdministration } from './administration/serve-administration.ts';
import { serveClients } from './clients/routes.ts';
import {
  insertFactorMail,
  insertInvitationMail,
  insertPasswordMail,
} from './email/account-emails.ts';
import { mailWayOf, openMailer } from './email/smtp.ts';
import type { TermsFiles } from './guide/own-terms.ts';
import type { Router } from './http/serve.ts';
import { emailNews } from './notifications/notifications.ts';
import type { Platform } from './platform.ts';
import type { OpenStorage } from './storage/open-storage.ts';
import { installationDeps } from './serve-installation.ts';
import type { FactorNews } from './sign-in/factors/factor-news.ts';
import { openSignIn } from './sign-in/open-sign-in.ts';
import type { PasswordRequest } from './sign-in/provider/passwords/forgotten-password.ts';
import { createPasswordQueue } from './sign-in/provider/passwords/password-queue.ts';
import { serveSignIn } from './sign-in/routes.ts';
import { readCurrentTerms } from './sign-in/terms-versions.ts';

/** Opens the sign-in, before the router. The returned function registers the routes of accounts. */
export async function openAccounts(app: FastifyInstance, platform: Platform, store: OpenStorage) {
  const { config, db, secrets } = platform;
  const { publicUrl, terms } = config;
  // all passwords take turns in one queue, wherever they are checked or set
  const hashing = createPasswordQueue();
  const sendsEmail = mailWayOf(config) !== 'outbox';
  const mailPassword = sendsEmail
    ? (request: PasswordRequest) => insertPasswordMail(db, request)
    : null;
  const sendNews: FactorNews = sendsEmail ? insertFactorMail : async () => undefined;
  const signIn = await openSignIn(app, { ...platform, hashing, mailPassword, sendNews });
  return (router: Router, ownTexts: TermsFiles): void => {
    const { signOutUrl } = signIn;
    const readTerms = () => readCurrentTerms(db, terms);
    serveSignIn(router, { db, secrets, publicUrl, readTerms, signOutUrl });
    serveClients(router, { db, secrets });
    serveAdministration(router, {
      ...platform,
      ...{ publicUrl, hashing, sendNews },
      issuer: config.oidc?.issuer ?? null,
      mailInvitation: sendsEmail ? insertInvitationMail : null,
      mailer: openMailer(config),
      emailNews,
      ...installationDeps(platform, store),
      ...{ terms, ownTexts, configured: config },
      needsOperatorFactor: config.needsOperatorFactor,
    });
  };
}
