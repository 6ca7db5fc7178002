/** The opened recoding page, for all parts of its steps. */
import { createContext, use } from 'react';
import type { Entry } from '../decoded-read.ts';
import type { FamilyPage } from '../families/family-page.ts';
import type { Recoding } from './use-recoding.ts';

export interface OpenPage {
  readonly page: FamilyPage;
  readonly entry: Entry;
  readonly recoding: Recoding;
}

export const OpenPageContext = createContext<OpenPage | null>(null);

/** The recoding page that a part belongs to. */
export function useOpenPage(): OpenPage {
  const open = use(OpenPageContext);
  if (open === null) throw new Error('rendered outside of a recoding page');
  return open;
}
