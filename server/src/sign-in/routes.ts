/** The session and terms routes of the contract, each one function call. */
import { sessionHeader, timeZoneHeader } from '@recodery/contract/headers';
import { Refusal } from '@recodery/contract/refusal';
import * as contract from '@recodery/contract/features/session';
import { isTimeZone, longestTimeZone } from '@recodery/contract/time-zones';
import type {} from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../audit/audit.ts';
import { logSender } from '../http/requests/request-log.ts';
import { sendLogo } from '../http/send-logo.ts';
import type { Router } from '../http/serve.ts';
import { findAccount, rememberTimeZone } from '../organisations/accounts.ts';
import { findLogo } from '../organisations/organisations.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { browserCookie, cookieName } from './cookies.ts';
import { describeSession } from './describe-session.ts';
import { endSession, type SessionDeps, type SessionDevice, setCustomerCode } from './sessions.ts';
import { startSession } from './start-session.ts';
import { acceptTerms, hasAcceptedTerms } from './terms.ts';
import type { CurrentTerms } from './terms-versions.ts';

/** The dependencies of the routes besides the database: how to end a session at the provider. */
export interface SignInRouteDeps extends SessionDeps {
  /** The origin that browsers use. */
  readonly publicUrl: string;
  /** The terms of use that apply now. */
  readonly readTerms: () => Promise<Pick<CurrentTerms, 'version' | 'counting'>>;
  /** The URL where the browser ends its session at the provider; null when there is none. */
  readonly signOutUrl: (idToken: string | null) => Promise<string | null>;
}

/** The `{sessionId}` of a path must be the calling session: no session can read, switch or end another. */
function requireOwnSession(request: FastifyRequest, sessionId: string): void {
  if (request.headers[sessionHeader.toLowerCase()] !== sessionId)
    throw new Refusal('API_ERROR_UNAUTHORIZED');
}

/** Maximum characters of a `User-Agent` that are stored. */
const longestUserAgent = 300;

/** Where a request comes from. */
export function deviceOf({ headers, ip }: FastifyRequest): SessionDevice {
  const userAgent = headers['user-agent']?.slice(0, longestUserAgent) ?? null;
  return { userAgent, address: ip };
}

function isUsable(timeZone: string): boolean {
  return timeZone.length <= longestTimeZone && isTimeZone(timeZone);
}

/** Registers the routes of contract/session. */
export function serveSignIn(router: Router, deps: SignInRouteDeps): void {
  const { db, readTerms } = deps;
  const browserName = cookieName(browserCookie, deps.publicUrl);

  router.serve(contract.validateSsoToken, async ({ params, request, reply }) => {
    const presentedId = request.headers[sessionHeader.toLowerCase()];
    const started = await startSession(deps, {
      token: params.token,
      browser: request.cookies[browserName] ?? '',
      sessionId: typeof presentedId === 'string' ? presentedId : null,
      device: deviceOf(request),
    });
    if (started === null) throw new Refusal('API_ERROR_UNAUTHORIZED');
    const { accountGuid, sessionGuid } = started;
    logSender(request, { account: accountGuid });
    const session = await describeSession(deps, sessionGuid, request.headers);
    const user = await findAccount(db, accountGuid);
    if (user === null) throw new Refusal('API_ERROR_UNAUTHORIZED');
    await recordAudit(db, {
      actor: { kind: 'user', guid: user.guid, name: user.email },
      action: 'sign-in',
      object: { customerCode: session.customerCode },
      from: request.ip,
      outcome: 'done',
    });
    void reply.header(sessionHeader, session.sessionID);
    return session;
  });

  router.serve(contract.getSession, async ({ caller, params, request }) => {
    requireOwnSession(request, params.sessionId);
    const timeZone = request.headers[timeZoneHeader.toLowerCase()];
    if (caller.kind === 'person' && typeof timeZone === 'string' && isUsable(timeZone))
      await rememberTimeZone(db, caller.accountGuid, timeZone);
    return describeSession(deps, caller.sessionGuid, request.headers);
  });

  router.serve(contract.switchCustomerCode, async ({ caller, params, request }) => {
    requireOwnSession(request, params.sessionId);
    if (!(await setCustomerCode(db, caller, params.code))) throw new Refusal('NOT_FOUND');
    return describeSession(deps, caller.sessionGuid, request.headers);
  });

  router.serve(contract.logout, async ({ caller, params, request }) => {
    requireOwnSession(request, params.sessionId);
    const idToken = await endSession(db, caller.sessionGuid);
    // The session has ended here, even if its provider does not respond.
    const signOutURL = await deps.signOutUrl(idToken).catch((error: unknown) => {
      request.log.warn({ error }, 'could not get the sign-out address from the provider');
      return null;
    });
    return { signOutURL };
  });

  router.serve(contract.hasAcceptedTerms, async ({ caller }) =>
    hasAcceptedTerms(db, caller.accountGuid, (await readTerms()).counting),
  );

  router.serve(contract.registerTerms, async ({ caller, query }) => {
    // a page that was opened before the terms changed shows the former ones
    const { version } = await readTerms();
    if (query.version !== undefined && query.version !== version)
      throw new Refusal('TERMS_CHANGED');
    await acceptTerms(db, caller.accountGuid, version);
    return undefined;
  });

  serveLogos(router, db);
}

function serveLogos(router: Router, db: Db): void {
  router.serve(contract.getLogo, async ({ params, reply }) => {
    const logo = await findLogo(db, params.guid);
    if (logo === null) throw new Refusal('NOT_FOUND');
    await sendLogo(reply, logo);
    return undefined;
  });
}
