/** The workflows in the order of menus and lists: the icon of each, and its page, loaded when the user opens it. */
import { type Family, families, type Workflow } from '@recodery/contract/families/registry';
import type { FamilyCalls } from '@recodery/contract/family-routes/calls';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import CircuitBoard from 'lucide-react/icons/circuit-board';
import Cpu from 'lucide-react/icons/cpu';
import PlugZap from 'lucide-react/icons/plug-zap';
import type { IconPart } from '../../../ui/display/icon.tsx';
import { monogram } from '../../../ui/display/monogram.ts';
import type { FamilyPage, PageLook } from './family-page.ts';

type LoadedPage = Promise<{ readonly page: FamilyPage }>;

interface Entry {
  readonly icon: IconPart;
  readonly load: () => LoadedPage;
}

/** The module with the calls of a family: it also exports the family's routes, under the family's name. */
type RoutesOf<F extends Family> = { readonly calls: FamilyCalls } & Readonly<Record<F, object>>;

/** The page of a family without a file of its own: its calls, and in what it looks different from the others. */
async function plain<F extends Family>(
  family: F,
  routes: Promise<RoutesOf<NoInfer<F>>>,
  look?: PageLook,
): LoadedPage {
  const [{ describePage }, { calls }] = await Promise.all([import('./describe-page.ts'), routes]);
  return { page: describePage(family, calls, look) };
}

/** The words of a page that downloads several images. */
const words = { downloadDecoded: 'recoding.downloadComponents' } as const;

/** In what the K-TAG page looks different. */
export const ktagLook: PageLook = {
  named: ['family', 'protocol'],
  words: { ...words, lead: 'recoding.ktag.lead' },
};

/** A new workflow is one entry here. */
const entries: Readonly<Record<Workflow, Entry>> = {
  kess3: { icon: Cpu, load: () => import('./kess3.ts') },
  'kess3-utility': {
    icon: ArchiveRestore,
    load: () => import('./kess3-utility.ts'),
  },
  kessv2: {
    icon: PlugZap,
    load: () => plain('kessv2', import('@recodery/contract/family-routes/kessv2')),
  },
  ktag: {
    icon: CircuitBoard,
    load: () => plain('ktag', import('@recodery/contract/family-routes/ktag'), ktagLook),
  },
  bflash: {
    icon: monogram('b', 'F'),
    load: () =>
      plain('bflash', import('@recodery/contract/family-routes/bflash'), {
        named: ['serialNumber'],
      }),
  },
  autotuner: {
    icon: monogram('A', 'T'),
    load: () =>
      plain('autotuner', import('@recodery/contract/family-routes/autotuner'), {
        named: ['family', 'system'],
      }),
  },
  flex: {
    icon: monogram('F', 'x'),
    load: () =>
      plain('flex', import('@recodery/contract/family-routes/flex'), {
        named: ['serialNumber'],
        words,
      }),
  },
  autoflasher: {
    icon: monogram('A', 'F'),
    load: () =>
      plain('autoflasher', import('@recodery/contract/family-routes/autoflasher'), {
        named: ['serialNumber'],
        words,
      }),
  },
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
