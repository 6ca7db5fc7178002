/** The routes of all families. To add a family, add its file and a line here. */
import type { Family } from '@recodery/contract/families/registry';
import type { Router } from '../../http/serve.ts';
import { serveDrafts } from '../draft-routes.ts';
import { serveEngines } from '../engine-selection/engine-routes.ts';
import { serveRepairs } from '../diagnosis/repair-routes.ts';
import { servePreflights } from '../preflight/preflight-routes.ts';
import type { FamilyRoutes, FamilyRouteDependencies } from './family-routes.ts';
import { kess3 } from './kess3.ts';
import { kessv2 } from './kessv2.ts';
import { ktag } from './ktag.ts';

const familyRoutes: Readonly<Record<Family, FamilyRoutes>> = { kessv2, ktag, kess3 };

/** The routes of a family. */
export function getFamilyRoutes(family: Family): FamilyRoutes {
  return familyRoutes[family];
}

/** Registers the calls of all families. */
export function serveRecoding(router: Router, deps: FamilyRouteDependencies): void {
  serveDrafts(router, deps);
  serveEngines(router, deps);
  servePreflights(router, deps, (family) => familyRoutes[family].encodeOptions);
  serveRepairs(router, deps);
  for (const { serve } of Object.values(familyRoutes)) serve(router, deps);
}
