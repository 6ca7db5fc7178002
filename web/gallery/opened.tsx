/** An opened recoding page around one of its components. */
import type { ReactNode } from 'react';
import type { FamilyPage } from '../src/features/recoding/families/family-page.ts';
import { page as kess3 } from '../src/features/recoding/families/kess3.ts';
import { type Flow, idle } from '../src/features/recoding/flow/state/recoding-flow.ts';
import type { Recoding } from '../src/features/recoding/flow/use-recoding.ts';
import { OpenPageContext } from '../src/features/recoding/flow/open-page.ts';
import { entry } from './made/answers.ts';
import { useStill } from './made/reads.ts';

export interface OpenedProps {
  readonly page?: FamilyPage;
  readonly flow?: Flow;
  readonly isPrivateByDefault?: boolean;
  /** Commands that differ from those of the static page. */
  readonly commands?: Partial<Recoding>;
  readonly children: ReactNode;
}

export function Opened({
  page = kess3,
  flow = idle,
  isPrivateByDefault = true,
  commands,
  children,
}: OpenedProps) {
  const recoding = { ...useStill(flow), ...commands };
  const open = { page, entry: { ...entry, isPrivateByDefault }, recoding };
  return <OpenPageContext value={open}>{children}</OpenPageContext>;
}
