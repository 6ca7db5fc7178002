/** The routes of the user's own second factors. */
import * as contract from '@recodery/contract/admin/factors';
import type { Router } from '../../http/serve.ts';
import type { PasswordQueue } from '../../sign-in/provider/passwords/password-queue.ts';
import { confirmSession } from '../../sign-in/confirmed-sessions.ts';
import { checkOwnPassword } from './own-account.ts';
import {
  addOwnApp,
  addOwnPasskey,
  beginApp,
  beginPasskey,
  type FactorDeps,
  readFactors,
  removeOwnFactor,
  renewOwnCodes,
} from './own-factors.ts';

/** Registers the routes of contract/admin/factors. */
export function serveFactors(
  router: Router,
  deps: FactorDeps & { readonly hashing: PasswordQueue },
): void {
  const shown = (codes: readonly string[] | null) => ({
    recoveryCodes: codes === null ? null : [...codes],
  });
  router.serve(contract.listFactors, ({ caller }) => readFactors(deps, caller));
  router.serve(contract.confirmAccount, async ({ caller, body, request }) => {
    const asked = { password: body.password, address: request.ip, field: 'password' };
    await checkOwnPassword(deps, caller, asked);
    await confirmSession(deps.db, caller.sessionGuid);
    return undefined;
  });
  router.serve(contract.draftApp, ({ caller }) => beginApp(deps, caller));
  router.serve(contract.addApp, async ({ caller, body, noteAudit }) => {
    noteAudit({ factor: body.name });
    return shown(await addOwnApp(deps, caller, body));
  });
  router.serve(contract.draftPasskey, async ({ caller }) => ({
    options: await beginPasskey(deps, caller),
  }));
  router.serve(contract.addPasskey, async ({ caller, body, noteAudit }) => {
    noteAudit({ factor: body.name });
    return shown(await addOwnPasskey(deps, caller, body));
  });
  router.serve(contract.renewRecoveryCodes, async ({ caller }) =>
    shown(await renewOwnCodes(deps, caller)),
  );
  router.serve(contract.removeFactor, async ({ caller, params, noteAudit }) => {
    noteAudit({ factor: await removeOwnFactor(deps, caller, params.guid) });
    return undefined;
  });
}
