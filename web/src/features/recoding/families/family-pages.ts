/** The recoding pages, once each; a further family is a file and a line here. */
import type { FamilyPage } from './family-page.ts';
import { kess3, kess3Utility } from './kess3.ts';
import { kessv2 } from './kessv2.ts';
import { ktag } from './ktag.ts';
import type { PageId } from './page-id.ts';

export const familyPages: Readonly<Record<PageId, FamilyPage>> = {
  kessv2,
  ktag,
  kess3,
  'kess3-utility': kess3Utility,
};
