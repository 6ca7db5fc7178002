/** Registers all routes of the administration, the accounts and the setup. */
import type { Router } from '../http/serve.ts';
import type { PasswordQueue } from '../sign-in/provider/passwords/password-queue.ts';
import { serveAccount } from './account/account-routes.ts';
import { serveFactors } from './account/factor-routes.ts';
import { serveDirectoryFile } from './directory/file-routes.ts';
import { serveManySlaves } from './directory/many-slaves.ts';
import { serveInvitations } from './people/invitation-routes.ts';
import type { KeptDeps } from './installation/kept-resources.ts';
import type { FactorDeps } from './account/own-factors.ts';
import { serveResources } from './resource-routes.ts';
import { type SetupDeps, serveSetup } from './setup/setup-routes.ts';

/** The dependencies of these routes. */
export interface ServedDeps
  extends Omit<SetupDeps, 'isExternal'>,
    Omit<FactorDeps, 'isExternal'>,
    Omit<KeptDeps, 'isExternal'> {
  readonly secrets: KeptDeps['secrets'] & SetupDeps['secrets'];
  readonly hashing: PasswordQueue;
}

/** Registers the routes. */
export function serveAdministration(router: Router, served: ServedDeps): void {
  const deps = { ...served, isExternal: served.issuer !== null };
  serveResources(router, deps);
  serveDirectoryFile(router, deps);
  serveManySlaves(router, deps);
  serveInvitations(router, deps);
  serveAccount(router, deps);
  serveFactors(router, deps);
  serveSetup(router, deps);
}
