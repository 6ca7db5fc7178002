/** The routes of the setup. */
import { readSetup, setUp } from '@recodery/contract/admin/setup';
import { sessionHeader } from '@recodery/contract/headers';
import { Refusal } from '@recodery/contract/refusal';
import type { Router } from '../../http/serve.ts';
import { describeSession } from '../../sign-in/describe-session.ts';
import type { PasswordQueue } from '../../sign-in/provider/passwords/password-queue.ts';
import { deviceOf } from '../../sign-in/routes.ts';
import type { AdministrationDeps } from '../directory/actions.ts';
import { setUpInstallation } from './set-up.ts';
import { findSetupLink } from './setup-links.ts';

export interface SetupDeps extends AdministrationDeps {
  /** The external provider; null: the portal stores passwords. */
  readonly issuer: string | null;
  readonly hashing: PasswordQueue;
}

/** Registers the routes of contract/admin/setup. */
export function serveSetup(router: Router, deps: SetupDeps): void {
  router.serve(readSetup, async ({ params }) => {
    const expiresOn = await findSetupLink(deps.db, params.token);
    if (expiresOn === null) throw new Refusal('SETUP_LINK_EXPIRED');
    return { expiresOn: expiresOn.toISOString(), issuer: deps.issuer };
  });

  router.serve(setUp, async ({ body, request, reply }) => {
    const leave = await deps.hashing.enter({ address: request.ip });
    if (leave === null) throw new Refusal('API_ERROR_THROTTLING');
    const sessionGuid = await setUpInstallation(deps, body, deviceOf(request)).finally(leave);
    if (sessionGuid === null) return { session: null };
    const session = await describeSession(deps, sessionGuid, request.headers);
    void reply.header(sessionHeader, session.sessionID);
    return { session };
  });
}
