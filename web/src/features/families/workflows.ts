/** The ways of working in the order of menus and lists: the icon of each, and its page, loaded when it is opened. */
import { type Family, families, type Workflow } from '@recodery/contract/families/registry';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import CircuitBoard from 'lucide-react/icons/circuit-board';
import Cpu from 'lucide-react/icons/cpu';
import PlugZap from 'lucide-react/icons/plug-zap';
import type { IconPart } from '../../ui/icon.tsx';
import type { FamilyPage } from '../recoding/families/family-page.ts';

interface Entry {
  readonly icon: IconPart;
  readonly load: () => Promise<{ readonly page: FamilyPage }>;
}

/** A new way of working is a line here. */
const entries: Readonly<Record<Workflow, Entry>> = {
  kess3: { icon: Cpu, load: () => import('../recoding/families/kess3.ts') },
  'kess3-utility': {
    icon: ArchiveRestore,
    load: () => import('../recoding/families/kess3-utility.ts'),
  },
  kessv2: { icon: PlugZap, load: () => import('../recoding/families/kessv2.ts') },
  ktag: { icon: CircuitBoard, load: () => import('../recoding/families/ktag.ts') },
};

/** The ways of working, in order. */
export const listedWorkflows = Object.keys(entries) as readonly Workflow[];

/** The families, in the same order; each gives its name to the way of working with it that is not a utility. */
export const listedFamilies = listedWorkflows.filter((id): id is Family =>
  (families as readonly Workflow[]).includes(id),
);

/** The icon of a way of working; that of a family is the icon of its own page. */
export function iconOf(workflow: Workflow): IconPart {
  return entries[workflow].icon;
}

/** What the page of a way of working shows and calls. */
export async function loadPage(workflow: Workflow): Promise<FamilyPage> {
  const { page } = await entries[workflow].load();
  return page;
}
