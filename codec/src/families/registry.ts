/** The registry of the families' codecs. */

import type { Family } from '@recodery/contract/families';
import type { FamilyCodec } from './codec.ts';
import { kess3 } from './kess3.ts';
import { kessv2 } from './kessv2.ts';
import { ktag } from './ktag.ts';

const codecs: Readonly<Record<Family, FamilyCodec>> = { kessv2, ktag, kess3 };

/** The codec of a family. */
export function getCodec(family: Family): FamilyCodec {
  return codecs[family];
}
