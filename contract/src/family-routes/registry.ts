/** The routes of each family, and what it declares for the Encoding API. A new family is one line in each list. */
import type { EncodingApiFamily } from './encoding-api-declaration.ts';
import type { Family } from '../families/registry.ts';
import * as kess3 from './kess3.ts';
import * as kessv2 from './kessv2.ts';
import * as ktag from './ktag.ts';

export const familyRoutes = { kessv2, ktag, kess3 } satisfies Record<Family, object>;

const encodingApis: Readonly<Record<Family, EncodingApiFamily>> = {
  kessv2: kessv2.encodingApi,
  ktag: ktag.encodingApi,
  kess3: kess3.encodingApi,
};

/** What a family declares for the Encoding API. */
export function encodingApiOf(family: Family): EncodingApiFamily {
  return encodingApis[family];
}
