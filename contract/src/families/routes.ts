/** The routes of each family. A new family is one line here. */
import type { Family } from './registry.ts';
import * as kess3 from './kess3-routes.ts';
import * as kessv2 from './kessv2-routes.ts';
import * as ktag from './ktag-routes.ts';

export const familyRoutes = { kessv2, ktag, kess3 } satisfies Record<Family, object>;
