/** The routes of each family. A new family is one line here. */
import type { EncodingApiFamily } from '../encoding-api/family.ts';
import type { Family } from './registry.ts';
import * as kess3 from './kess3-routes.ts';
import * as kessv2 from './kessv2-routes.ts';
import * as ktag from './ktag-routes.ts';

export const familyRoutes = { kessv2, ktag, kess3 } satisfies Record<
  Family,
  { readonly encodingApi: EncodingApiFamily }
>;

/** What a family declares for the Encoding API. */
export function encodingApiOf(family: Family): EncodingApiFamily {
  return familyRoutes[family].encodingApi;
}
