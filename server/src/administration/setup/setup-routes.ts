/** The routes of the setup. */
import { errorOf } from '@recodery/contract/admin/check-fields';
import { users } from '@recodery/contract/admin/resources';
import * as contract from '@recodery/contract/admin/setup';
import { sessionHeader } from '@recodery/contract/headers';
import { Refusal } from '@recodery/contract/refusal';
import type { Mailer } from '../../email/smtp.ts';
import { sendTestEmail } from '../../email/test-email.ts';
import { describeConnection } from '../../http/requests/caller-network.ts';
import type { Router } from '../../http/serve.ts';
import { describeSession } from '../../sign-in/describe-session.ts';
import { canHavePasskeys, createPasskeyOptions } from '../../sign-in/factors/passkeys.ts';
import type { PasswordQueue } from '../../sign-in/provider/passwords/password-queue.ts';
import { deviceOf } from '../../sign-in/routes.ts';
import type { AdministrationDeps } from '../directory/actions.ts';
import { refuseFields } from '../records/resource-store.ts';
import { setUpInstallation, setupPasskeyOwner } from './set-up.ts';
import { findSetupLink } from './setup-links.ts';

export interface SetupDeps extends AdministrationDeps {
  /** The external provider; null: the portal stores passwords. */
  readonly issuer: string | null;
  readonly hashing: PasswordQueue;
  readonly mailer: Mailer;
}

/** Until when a link is valid. @throws {Refusal} SETUP_LINK_EXPIRED */
async function requireLink({ db }: SetupDeps, token: string): Promise<Date> {
  const expiresOn = await findSetupLink(db, token);
  if (expiresOn === null) throw new Refusal('SETUP_LINK_EXPIRED');
  return expiresOn;
}

/** @throws {Refusal} FIELDS_NOT_ACCEPTED */
function requireFields(fields: Partial<Record<'email' | 'name', string>>): void {
  for (const name of ['email', 'name'] as const) {
    const value = fields[name];
    const why = value === undefined ? null : errorOf(users.fields[name], value);
    if (why !== null) refuseFields({ [`operator.${name}`]: why });
  }
}

/** Registers the routes of contract/admin/setup. */
export function serveSetup(router: Router, deps: SetupDeps): void {
  const { publicUrl, issuer, mailer } = deps;
  const canAddPasskey = issuer === null && canHavePasskeys(publicUrl);

  router.serve(contract.readSetup, async ({ params, request }) => {
    const expiresOn = (await requireLink(deps, params.token)).toISOString();
    const connection = { publicUrl, ...describeConnection(request) };
    return { expiresOn, issuer, canAddPasskey, connection };
  });

  router.serve(contract.testSetupEmail, async ({ params, body }) => {
    await requireLink(deps, params.token);
    requireFields({ email: body.to });
    const { outcome, response } = await sendTestEmail(mailer, { ...body, publicUrl });
    return { outcome, response };
  });

  router.serve(contract.draftSetupPasskey, async ({ params, body }) => {
    await requireLink(deps, params.token);
    if (!canAddPasskey) throw new Refusal('FeatureNotAvailable');
    requireFields(body);
    const owner = setupPasskeyOwner(params.token, body);
    return { options: JSON.stringify(await createPasskeyOptions(deps, owner)) };
  });

  router.serve(contract.setUp, async ({ body, request, reply }) => {
    const leave = await deps.hashing.enter({ address: request.ip });
    if (leave === null) throw new Refusal('API_ERROR_THROTTLING');
    const { sessionGuid, recoveryCodes } = await setUpInstallation(
      deps,
      body,
      deviceOf(request),
    ).finally(leave);
    const codes = recoveryCodes === null ? null : [...recoveryCodes];
    if (sessionGuid === null) return { session: null, recoveryCodes: codes };
    const session = await describeSession(deps, sessionGuid, request.headers);
    void reply.header(sessionHeader, session.sessionID);
    return { session, recoveryCodes: codes };
  });
}
