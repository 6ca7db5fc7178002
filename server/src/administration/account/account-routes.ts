/** The routes of the user's own account. */
import * as contract from '@recodery/contract/admin/account';
import type { Router } from '../../http/serve.ts';
import {
  changeAccount,
  changeOwnPassword,
  endOthers,
  endOwn,
  listOwnSessions,
  type OwnAccountDeps,
  readAccount,
} from './own-account.ts';

/** Registers the routes of contract/admin/account. */
export function serveAccount(router: Router, deps: OwnAccountDeps): void {
  const { db } = deps;
  router.serve(contract.getAccount, ({ caller }) => readAccount(db, caller));
  router.serve(contract.updateAccount, async ({ caller, body, noteAudit }) => {
    noteAudit({ changes: await changeAccount(db, caller, body) });
    return readAccount(db, caller);
  });
  router.serve(contract.changePassword, async ({ caller, body, request }) => {
    await changeOwnPassword(deps, caller, { ...body, address: request.ip });
    return undefined;
  });
  router.serve(contract.listSessions, async ({ caller }) => [
    ...(await listOwnSessions(db, caller)),
  ]);
  router.serve(contract.endOtherSessions, async ({ caller }) => {
    await endOthers(db, caller);
    return undefined;
  });
  router.serve(contract.endOwnSession, async ({ caller, params }) => {
    await endOwn(db, caller, params.guid);
    return undefined;
  });
}
