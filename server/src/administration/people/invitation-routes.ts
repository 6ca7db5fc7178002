/** The routes with which managers invite users. */
import * as contract from '@recodery/contract/admin/invitations';
import type { Router } from '../../http/serve.ts';
import type { AdministrationDeps } from '../directory/actions.ts';
import { inviteToOrganisation, listOpenInvitations, revokeOpenInvitation } from './invitations.ts';

/** Registers the routes of contract/admin/invitations. */
export function serveInvitations(router: Router, deps: AdministrationDeps): void {
  router.serve(contract.inviteUsers, async ({ caller, body, noteAudit }) => {
    const items = await inviteToOrganisation(deps, caller, body);
    // without the links
    noteAudit({ items: items.map(({ email, outcome, guid }) => ({ email, outcome, guid })) });
    return { items };
  });
  router.serve(contract.listInvitations, ({ caller }) => listOpenInvitations(deps, caller));
  router.serve(contract.revokeInvitation, async ({ caller, params, noteAudit }) => {
    noteAudit({ email: await revokeOpenInvitation(deps, caller, params.guid) });
    return undefined;
  });
}
