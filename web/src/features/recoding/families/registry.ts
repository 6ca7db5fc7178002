/** The workflows in the order of menus and lists: the icon of each, and its page, loaded when the user opens it. */
import { type Family, families, type Workflow } from '@recodery/contract/families/registry';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import CircuitBoard from 'lucide-react/icons/circuit-board';
import Cpu from 'lucide-react/icons/cpu';
import PlugZap from 'lucide-react/icons/plug-zap';
import type { IconPart } from '../../../ui/display/icon.tsx';
import type { FamilyPage } from './family-page.ts';

interface Entry {
  readonly icon: IconPart;
  readonly load: () => Promise<{ readonly page: FamilyPage }>;
}

/** A new workflow is one line here. */
const entries: Readonly<Record<Workflow, Entry>> = {
  kess3: { icon: Cpu, load: () => import('./kess3.ts') },
  'kess3-utility': {
    icon: ArchiveRestore,
    load: () => import('./kess3-utility.ts'),
  },
  kessv2: { icon: PlugZap, load: () => import('./kessv2.ts') },
  ktag: { icon: CircuitBoard, load: () => import('./ktag.ts') },
  bflash: { icon: PlugZap, load: () => import('./bflash.ts') },
  autotuner: { icon: PlugZap, load: () => import('./autotuner.ts') },
  flex: { icon: PlugZap, load: () => import('./flex.ts') },
  autoflasher: { icon: PlugZap, load: () => import('./autoflasher.ts') },
};

/** The workflows, in order. */
export const listedWorkflows = Object.keys(entries) as readonly Workflow[];

/** The families, in the same order; each has the name of its workflow that is not a utility. */
export const listedFamilies = listedWorkflows.filter((id): id is Family =>
  (families as readonly Workflow[]).includes(id),
);

/** The icon of a workflow; a family's icon is that of its own page. */
export function iconOf(workflow: Workflow): IconPart {
  return entries[workflow].icon;
}

/** What the page of a workflow shows and calls. */
export async function loadPage(workflow: Workflow): Promise<FamilyPage> {
  const { page } = await entries[workflow].load();
  return page;
}
