/** Serves the calls of recoding: those of every family, and those that do not depend on a family. */
import { families, type Family } from '@recodery/contract/families/registry';
import { portalCalls } from '@recodery/contract/family-routes/registry';
import type { Router } from '../../http/serve.ts';
import { serveRepairs } from '../diagnosis/repair-routes.ts';
import { serveDrafts } from '../drafts/draft-routes.ts';
import { serveEngines } from '../engine-selection/engine-routes.ts';
import type { EncodeOptions } from '../preflight/preflight.ts';
import { serveOriginals } from '../originals/original-routes.ts';
import { servePreflights } from '../preflight/preflight-routes.ts';
import { type FamilyRouteDependencies, serveFamily } from './serve-family.ts';

/** What the encodes of a family can do besides encoding: their bodies have the fields for it. */
function encodeOptionsOf(family: Family): EncodeOptions {
  const fields = portalCalls[family].encodes.flatMap(({ call }) => Object.values(call.body));
  const has = (means: (typeof fields)[number]['means']) =>
    fields.some((field) => field.means === means);
  return {
    correctsCVN: has('willCorrectCVN'),
    skipsChecksum: has('willSkipChecksum'),
    correctsChecksums: has('willCorrectChecksums'),
    removes: has('removal'),
  };
}

/** Registers the calls of all families. */
export function serveRecoding(router: Router, deps: FamilyRouteDependencies): void {
  serveDrafts(router, deps);
  serveEngines(router, deps);
  servePreflights(router, deps, encodeOptionsOf);
  serveRepairs(router, deps);
  serveOriginals(router, deps);
  for (const family of families) serveFamily(router, deps, family);
}
